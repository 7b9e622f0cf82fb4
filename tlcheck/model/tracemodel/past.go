package tracemodel

import (
	"context"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// backwardRun is a run backward: its moves undo actions.
type backwardRun struct{ *Run }

// Past returns the system with the states of the run and its moves reversed: from a slice to those
// before it, in any interleaving.
func (r *Run) Past() kripke.System { return backwardRun{r} }

// Moves implements kripke.System: To is the state from which the run comes. Unlike those of a Run,
// these states need not have been visited before.
func (p backwardRun) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	return p.moves(dst, s, p.lattice.Maximal(p.Slice(s)), 1)
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
			stdslices.Reverse(way)
			return way, err
		},
	})
}

// below returns a slice and all slices below it.
func (r *Run) below(i slices.Ideal) slices.Set {
	return r.lattice.Set(slices.Interval{Lo: r.lattice.Bottom(), Hi: i})
}
