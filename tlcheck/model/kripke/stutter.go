package kripke

import "fmt"

// Stutter returns the system in which a state without moves has one of Nobody, which stays there: so every path can be
// continued for ever, as the logics of infinite paths want it.
func Stutter(sys System) System { return stutterSystem{sys} }

type stutterSystem struct{ System }

func (t stutterSystem) Moves(dst []Move, s State) ([]Move, error) {
	n := len(dst)
	dst, err := t.System.Moves(dst, s)
	if len(dst) == n && err == nil {
		dst = append(dst, Move{To: s, Process: Nobody})
	}
	return dst, err
}

func (t stutterSystem) Label(s State, m Move) string {
	if m.Process == Nobody {
		return "stutter"
	}
	return t.System.Label(s, m)
}

// DeadEndError says that paths end in a state where they must be infinite.
type DeadEndError struct {
	State State
	Text  string // the state as a person sees it
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
