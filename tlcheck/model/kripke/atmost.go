package kripke

import "errors"

// ErrMany reports that AtMost's limit is exceeded.
var ErrMany = errors.New("the system has too many states")

// AtMost returns a system whose moves are the error ErrMany once it has more than most states.
func AtMost(sys System, most int) System { return boundedSystem{sys, most} }

type boundedSystem struct {
	System
	most int
}

func (b boundedSystem) Moves(dst []Move, s State) ([]Move, error) {
	if b.States() > b.most {
		return dst, ErrMany
	}
	return b.System.Moves(dst, s)
}
