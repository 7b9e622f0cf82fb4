package tracemodel

import (
	"context"
	"errors"

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
			space, err := r.where(b, p)
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

// where returns the slices in which a proposition with resolved atoms holds.
func (r *Run) where(b slices.Budget, p *temporal.Formula) (slices.Set, error) {
	switch p.Op {
	case temporal.True:
		return r.lattice.All(), nil
	case temporal.False:
		return r.lattice.None(), nil
	case temporal.Atomic:
		return r.Where(r.atoms.named[p.Atom.Text]), nil
	}
	x, err := r.where(b, p.X)
	if err != nil {
		return slices.Set{}, err
	}
	if p.Op == temporal.Not {
		return x.Complement(b)
	}
	y, err := r.where(b, p.Y)
	if err != nil {
		return slices.Set{}, err
	}
	switch p.Op {
	case temporal.And:
		return x.Intersect(b, y)
	case temporal.Or:
		return x.Union(b, y)
	case temporal.Implies:
		return implies(b, x, y)
	case temporal.Iff:
		return equivalent(b, x, y)
	}
	panic("tracemodel: " + p.String() + " is no proposition")
}

// implies returns the slices that are in y or not in x.
func implies(b slices.Budget, x, y slices.Set) (slices.Set, error) {
	not, err := x.Complement(b)
	if err != nil {
		return slices.Set{}, err
	}
	return not.Union(b, y)
}

// equivalent returns the slices that are in both x and y, or in neither.
func equivalent(b slices.Budget, x, y slices.Set) (slices.Set, error) {
	both, err := x.Intersect(b, y)
	if err != nil {
		return slices.Set{}, err
	}
	notX, err := x.Complement(b)
	if err != nil {
		return slices.Set{}, err
	}
	notY, err := y.Complement(b)
	if err != nil {
		return slices.Set{}, err
	}
	neither, err := notX.Intersect(b, notY)
	if err != nil {
		return slices.Set{}, err
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
		copy(r.scratch, r.numbering.Packed(s))
		for _, side := range r.net.Sides(a) {
			r.fields[side.Task].put(r.scratch, int(side.K))
		}
		var err error
		if s, err = r.numbering.Number(r.scratch); err != nil {
			return nil, err
		}
		way = append(way, s)
	}
	return way, nil
}
