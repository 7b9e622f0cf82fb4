package kripke

import (
	"errors"
	"fmt"
)

// Stutter adds to each state without moves a move of NoProcess back to it. Then every path can be
// continued for ever, as logics of infinite paths require.
func Stutter(sys System) System { return stutterSystem{sys} }

type stutterSystem struct{ System }

func (t stutterSystem) Moves(dst []Move, s State) ([]Move, error) {
	n := len(dst)
	dst, err := t.System.Moves(dst, s)
	if len(dst) == n && err == nil {
		dst = append(dst, Move{To: s, Process: NoProcess})
	}
	return dst, err
}

func (t stutterSystem) Label(s State, m Move) string {
	if m.Process == NoProcess {
		return "stutter"
	}
	return t.System.Label(s, m)
}

// DeadEndError reports a state without moves where paths must be infinite.
type DeadEndError struct {
	State State
	Text  string // the state as Text writes it
}

func (e *DeadEndError) Error() string {
	return fmt.Sprintf("%s has no successor, and the formula speaks about infinite paths: let it stutter, or give it one", e.Text)
}

// DeadEnds returns the states without a move.
func (g *Graph) DeadEnds() (all []State) {
	for s := range State(g.moves.first.Len()) {
		if len(g.Successors(s)) == 0 {
			all = append(all, s)
		}
	}
	return all
}

// Total returns a *DeadEndError for the first state without a move, if there is one.
func (g *Graph) Total() error {
	if ends := g.DeadEnds(); len(ends) > 0 {
		return &DeadEndError{ends[0], Text(g, ends[0])}
	}
	return nil
}

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
