package steps

import (
	"context"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Seeker is a system that knows in which states propositions hold without visiting any, as the slices of a run do.
type Seeker interface {
	kripke.System

	// Seek returns the ways to states in which a boolean combination of atoms holds, but in no state before on any way there:
	// one way to each, those of fewer states first, nil at the end. After an error it is searched as in other systems.
	Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error)
}

// seek returns the search for steps of F p in a system that knows where p holds. In others, and where it does not know, it is
// the search given.
func (s *Search) seek(sys kripke.System, f *temporal.Formula, from kripke.State, opt *Options, otherwise func(stepHandler) error) (func(stepHandler) error, error) {
	seeker, ok := sys.(Seeker)
	goal := goalOf(f)
	if !ok || goal == nil || opt.AllPaths || opt.Memoryless || opt.Mode != Shortest && opt.Mode != Minimal {
		return otherwise, nil
	}
	next, err := seeker.Seek(from, goal)
	return func(yield stepHandler) error {
		holds, err := Holds(s.ctx, sys, goal, []kripke.State{from})
		if err != nil {
			return err
		}
		if holds {
			yield(&Step{[]kripke.State{from}, -1})
			return nil
		}
		way, err := firstWay(s.ctx, next)
		if err != nil && s.ctx.Err() == nil {
			return otherwise(yield)
		}
		for limit := opt.Limit; way != nil && err == nil && len(way) <= limit; way, err = next(s.ctx) {
			if opt.Mode == Shortest {
				limit = len(way)
			}
			if !yield(&Step{way, -1}) {
				return nil
			}
		}
		return err
	}, err
}

// firstWay asks for a way, for half of the time at most: where there are too many states to know them, a search may meet one.
func firstWay(ctx context.Context, next func(context.Context) ([]kripke.State, error)) ([]kripke.State, error) {
	ctx, cancel := budget.Half(ctx)
	defer cancel()
	return next(ctx)
}

// goalOf returns p if the formula is F p and p a boolean combination of atoms, else nil.
func goalOf(f *temporal.Formula) *temporal.Formula {
	switch {
	case f.Op == temporal.Eventually && f.X.Propositional():
		return f.X
	case f.Op == temporal.Until && f.X.Op == temporal.True && f.Y.Propositional():
		return f.Y
	}
	return nil
}
