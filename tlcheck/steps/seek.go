package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/temporal"
)

// Seeker is a system that knows in which states propositions hold without visiting any, as the slices of a run do.
type Seeker interface {
	kripke.System

	// Seek returns the ways to states in which a boolean combination of atoms holds, but in no state before on any way there:
	// one way to each, those of fewer states first, nil at the end.
	Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error)
}

// seek returns the search for steps of F p in a system that knows where p holds, nil if it is another search.
func (s *Search) seek(sys kripke.System, f *temporal.Formula, from kripke.State, opt *Options) (func(found) error, error) {
	seeker, ok := sys.(Seeker)
	goal := goalOf(f)
	if !ok || goal == nil || opt.AllPaths || opt.Memoryless || opt.Mode != Shortest && opt.Mode != Minimal {
		return nil, nil
	}
	next, err := seeker.Seek(from, goal)
	return func(yield found) error {
		limit := opt.Limit
		for {
			way, err := next(s.ctx)
			if way == nil || err != nil || len(way) > limit {
				return err
			}
			if opt.Mode == Shortest {
				limit = len(way)
			}
			if !yield(&Step{way, -1}) {
				return nil
			}
		}
	}, err
}

// goalOf returns p if the formula is F p and p a boolean combination of atoms, else nil.
func goalOf(f *temporal.Formula) *temporal.Formula {
	switch {
	case f.Op == temporal.Eventually && Propositional(f.X):
		return f.X
	case f.Op == temporal.Until && f.X.Op == temporal.True && Propositional(f.Y):
		return f.Y
	}
	return nil
}

// Propositional reports whether a formula has no temporal operators: it is about one state.
func Propositional(f *temporal.Formula) bool {
	switch f.Op {
	case temporal.True, temporal.False, temporal.Atomic:
		return true
	case temporal.Not:
		return Propositional(f.X)
	case temporal.And, temporal.Or, temporal.Implies, temporal.Iff:
		return Propositional(f.X) && Propositional(f.Y)
	}
	return false
}
