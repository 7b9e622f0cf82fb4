package tracemodel

import (
	"context"
	"errors"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// seekIntervals limits the sets of slices of a Seek.
const seekIntervals = 1 << 18

// manyPartsError explains an *slices.IntervalsError as one of a proposition.
type manyPartsError struct{ cause error }

func (e *manyPartsError) Error() string {
	return "the set of slices where the proposition holds has too many parts"
}

func (e *manyPartsError) Unwrap() error { return e.cause }

// Seek returns an iterator over paths to the nearest slices at or above one in which a proposition,
// a boolean combination of atoms, holds: it holds in no slice between. Shorter paths come first,
// and nil is the end. Seek visits no slices, so their number does not matter: the set of slices
// where the proposition holds is a union of intervals.
func (r *Run) Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error) {
	begin := r.Slice(from)
	return r.seek(p, search{
		space: r.above(begin),
		first: slices.Set.Least,
		rest:  r.above,
		path:  func(to slices.Ideal) ([]kripke.State, error) { return r.path(from, begin, to) },
	})
}

// search abstracts from the direction of Seek.
type search struct {
	space slices.Set
	first func(slices.Set) (slices.Ideal, bool)
	rest  func(slices.Ideal) slices.Set // slices behind a slice
	path  func(slices.Ideal) ([]kripke.State, error)
}

func (r *Run) seek(p *temporal.Formula, d search) (func(context.Context) ([]kripke.State, error), error) {
	if err := r.resolve(p); err != nil {
		return nil, err
	}
	var left slices.Set
	begun := false
	return func(ctx context.Context) ([]kripke.State, error) {
		b := slices.Budget{Context: ctx, Intervals: seekIntervals}
		if !begun {
			space, err := r.satisfying(b, p)
			if err == nil {
				space, err = space.Intersect(b, d.space)
			}
			if err != nil {
				return nil, stopped(err)
			}
			left, begun = space, true
		}
		found, ok := d.first(left)
		if !ok {
			return nil, b.Err()
		}
		rest, err := left.Minus(b, d.rest(found))
		if err == nil {
			err = b.Err()
		}
		if err != nil {
			return nil, stopped(err)
		}
		left = rest
		return d.path(found)
	}, nil
}

// stopped explains an error of an operation on sets to callers of Seek.
func stopped(err error) error {
	if errors.As(err, new(*slices.IntervalsError)) {
		return &manyPartsError{err}
	}
	return err
}

// resolve looks up the atoms of a proposition.
func (r *Run) resolve(p *temporal.Formula) error {
	for _, a := range p.Atoms() {
		if _, err := r.Atom(a.Text); err != nil {
			return err
		}
	}
	return nil
}

// satisfying returns the slices in which a proposition with resolved atoms holds.
func (r *Run) satisfying(b slices.Budget, p *temporal.Formula) (slices.Set, error) {
	switch p.Op {
	case temporal.True:
		return r.lattice.All(), nil
	case temporal.False:
		return r.lattice.None(), nil
	case temporal.Atomic:
		return r.Where(r.atoms.named[p.Atom.Text]), nil
	}
	x, err := r.satisfying(b, p.X)
	if err != nil {
		return slices.Set{}, err
	}
	if p.Op == temporal.Not {
		return x.Complement(b)
	}
	y, err := r.satisfying(b, p.Y)
	if err != nil {
		return slices.Set{}, err
	}
	switch p.Op {
	case temporal.And:
		return x.Intersect(b, y)
	case temporal.Or:
		return x.Union(b, y)
	case temporal.Implies:
		if x, err = x.Complement(b); err != nil {
			return x, err
		}
		return x.Union(b, y)
	case temporal.Iff:
		return equivalent(b, x, y)
	}
	panic("tracemodel: " + p.String() + " is no proposition")
}

// equivalent returns the slices that are in both x and y, or in neither.
func equivalent(b slices.Budget, x, y slices.Set) (slices.Set, error) {
	both, err := x.Intersect(b, y)
	if err != nil {
		return both, err
	}
	some, err := x.Union(b, y)
	if err != nil {
		return some, err
	}
	neither, err := some.Complement(b)
	if err != nil {
		return neither, err
	}
	return both.Union(b, neither)
}

// above returns a slice and all slices above it.
func (r *Run) above(i slices.Ideal) slices.Set {
	return r.lattice.Set(slices.Interval{Lo: i, Hi: r.lattice.Top()})
}

// path returns the states on a path from one slice up to another.
func (r *Run) path(s kripke.State, from, to slices.Ideal) ([]kripke.State, error) {
	way := []kripke.State{s}
	for _, a := range r.lattice.Schedule(from, to) {
		var err error
		if s, err = r.step(s, a, 0); err != nil {
			return nil, err
		}
		way = append(way, s)
	}
	return way, nil
}

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
