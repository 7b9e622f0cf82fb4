package kripke

import "errors"

// ErrMany says that a system has more states than it may have.
var ErrMany = errors.New("the system has too many states")

// AtMost returns a system that has no moves, but the error ErrMany, once it knows more than most states.
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
