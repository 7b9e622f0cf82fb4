package tracemodel

import (
	"context"
	"errors"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// seekIntervals bounds the sets of slices of a Seek.
const seekIntervals = 1 << 18

var errSets = errors.New("the set of slices where the proposition holds has too many parts")

// Seek returns the ways to the nearest slices at or above one in which a proposition holds, a boolean combination of atoms:
// those below which, from there on, it holds nowhere. The ways come one by one, those of fewer actions first, nil at the end. No slices are visited, and
// how many there are does not matter: the set of the slices where the proposition holds is a union of intervals.
func (r *Run) Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error) {
	begin := r.Slice(from)
	return r.seek(p, search{
		space: r.above(begin),
		first: slices.Set.Least,
		rest:  r.above,
		way:   func(to slices.Ideal) ([]kripke.State, error) { return r.way(from, begin, to) },
	})
}

// search is one in which direction to seek: slices of a space, the first one of those where the proposition holds, and those behind it.
type search struct {
	space slices.Set
	first func(slices.Set) (slices.Ideal, bool)
	rest  func(slices.Ideal) slices.Set // what is reached through a slice
	way   func(slices.Ideal) ([]kripke.State, error)
}

func (r *Run) seek(p *temporal.Formula, d search) (func(context.Context) ([]kripke.State, error), error) {
	if err := r.resolve(p); err != nil {
		return nil, err
	}
	var left slices.Set
	begun := false
	return func(ctx context.Context) ([]kripke.State, error) {
		r.lattice.Guard(seekIntervals, func() bool { return ctx.Err() != nil })
		if !begun {
			left = r.where(p).Intersect(d.space)
		}
		found, ok := d.first(left)
		if ok {
			left = left.Minus(d.rest(found))
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case r.lattice.GaveUp():
			return nil, errSets
		}
		begun = true
		if !ok {
			return nil, nil
		}
		return d.way(found)
	}, nil
}

// resolve asks for the atoms of a proposition.
func (r *Run) resolve(p *temporal.Formula) error {
	for _, a := range p.Atoms() {
		if _, err := r.Atom(a.Text); err != nil {
			return err
		}
	}
	return nil
}

// where returns the slices in which a proposition holds whose atoms are resolved.
func (r *Run) where(p *temporal.Formula) slices.Set {
	switch p.Op {
	case temporal.True:
		return r.lattice.All()
	case temporal.False:
		return r.lattice.None()
	case temporal.Atomic:
		return r.Where(r.atoms.named[p.Atom.Text])
	case temporal.Not:
		return r.where(p.X).Complement()
	}
	x, y := r.where(p.X), r.where(p.Y)
	switch p.Op {
	case temporal.And:
		return x.Intersect(y)
	case temporal.Or:
		return x.Union(y)
	case temporal.Implies:
		return x.Complement().Union(y)
	case temporal.Iff:
		return x.Intersect(y).Union(x.Complement().Intersect(y.Complement()))
	}
	panic("tracemodel: " + p.String() + " is no proposition")
}

// above returns a slice and all that are above it.
func (r *Run) above(i slices.Ideal) slices.Set {
	return r.lattice.Set(slices.Interval{Lo: i, Hi: r.lattice.Top()})
}

// way returns the states on a way from one slice up to another.
func (r *Run) way(s kripke.State, from, to slices.Ideal) ([]kripke.State, error) {
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
