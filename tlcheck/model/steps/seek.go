package steps

import (
	"context"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Seeker is a system that can compute the states in which a proposition holds without visiting
// others, such as the slices of a run.
type Seeker interface {
	kripke.System

	// Seek returns an iterator over paths to the nearest states in which a boolean combination of
	// atoms holds: it holds in no earlier state on any path there. There is one path to each such
	// state, shorter ones first, and nil at the end. After an error the caller searches as in other
	// systems.
	Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error)
}

// seek searches for steps of F p in a Seeker. In other systems, or if the Seeker fails, it searches
// as otherwise does.
func (s *Search) seek(sys kripke.System, f *temporal.Formula, from kripke.State, opt *Options,
	otherwise func(stepHandler) error) (func(stepHandler) error, error) {
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
		way, err := firstPath(s.ctx, next)
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

// firstPath asks for a path for at most half of the time that is left. If a Seeker has too many
// states to compute, a search may still meet one.
func firstPath(ctx context.Context, next func(context.Context) ([]kripke.State, error)) ([]kripke.State, error) {
	ctx, cancel := budget.Half(ctx)
	defer cancel()
	return next(ctx)
}

// goalOf returns p if the formula is F p and p is a boolean combination of atoms, else nil.
func goalOf(f *temporal.Formula) *temporal.Formula {
	switch {
	case f.Op == temporal.Eventually && f.X.Propositional():
		return f.X
	case f.Op == temporal.Until && f.X.Op == temporal.True && f.Y.Propositional():
		return f.Y
	}
	return nil
}
