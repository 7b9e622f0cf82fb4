package tracemodel

import (
	"context"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// backwardRun is a run backward: its moves undo actions.
type backwardRun struct{ *Run }

// Past returns the system with the states of the run and its moves reversed: from a slice to those
// before it, in any interleaving.
func (r *Run) Past() kripke.System { return backwardRun{r} }

// Moves implements kripke.System.
func (p backwardRun) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	return p.Back(dst, s)
}

// Seek searches downward.
func (p backwardRun) Seek(from kripke.State, f *temporal.Formula) (func(context.Context) ([]kripke.State,
	error), error) {
	begin := p.Slice(from)
	return p.seek(f, search{
		space: p.below(begin),
		first: slices.Set.Greatest,
		rest:  p.below,
		path: func(to slices.Ideal) ([]kripke.State, error) {
			first, err := p.State(to)
			if err != nil {
				return nil, err
			}
			way, err := p.path(first, to, begin)
			for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
				way[i], way[j] = way[j], way[i]
			}
			return way, err
		},
	})
}

// below returns a slice and all slices below it.
func (r *Run) below(i slices.Ideal) slices.Set {
	return r.lattice.Set(slices.Interval{Lo: r.lattice.Bottom(), Hi: i})
}
