package slices

import "errors"

// The least and the greatest slice that sets have in common, without their intersection, which can
// need as many intervals as the product of theirs. This is the algorithm of Garg and Waldecker,
// "Detection of Weak Unstable Predicates in Distributed Programs" (1994). It needs sets that are
// closed under intersection or union, as those of local predicates are: a slice outside of one set
// is replaced by the nearest slice in that set, which every common slice contains.

// ErrNotClosed reports that LeastCommon or GreatestCommon cannot decide: the sets are not closed
// under intersection, or union, and have no least, or greatest, common slice that these can find.
var ErrNotClosed = errors.New("the sets of slices are not closed under intersection and union")

// LeastCommon returns the least slice at or above from that is in all sets; false if there is none.
// It can fail with ErrNotClosed.
func (l *Lattice) LeastCommon(b Budget, from Ideal, sets []Set) (first Ideal, found bool, err error) {
	return l.settle(b, from, sets, func(s Set, i Ideal) (Ideal, bool, bool) {
		return s.nearest(i, Ideal.Leq, func(iv Interval) (Ideal, bool, bool) {
			up, meets := iv.above(i)
			return up.Lo, up.from > 0, meets
		})
	})
}

// GreatestCommon returns the greatest slice at or below to that is in all sets, like LeastCommon.
func (l *Lattice) GreatestCommon(b Budget, to Ideal, sets []Set) (last Ideal, found bool, err error) {
	return l.settle(b, to, sets, func(s Set, i Ideal) (Ideal, bool, bool) {
		return s.nearest(i, func(a, b Ideal) bool { return b.Leq(a) }, func(iv Interval) (Ideal, bool, bool) {
			down, meets := iv.below(i)
			return down.Hi, down.to > 0, meets
		})
	})
}

// settle goes from i to the nearest slice of each set in turn, until one slice is in all of them.
func (l *Lattice) settle(
	b Budget, i Ideal, sets []Set, nearest func(Set, Ideal) (Ideal, bool, bool),
) (Ideal, bool, error) {
	settled := 0 // how many consecutive sets have i
	for n := 0; settled < len(sets); n = (n + 1) % len(sets) {
		next, found, ok := nearest(sets[n], i)
		if !ok {
			return i, false, ErrNotClosed
		}
		if !found {
			return i, false, nil
		}
		if err := b.Err(); err != nil {
			return i, false, err
		}
		if !next.Equal(i) {
			settled = 0
		}
		settled++
		i = next
	}
	return i, true, nil
}

// nearest returns the slice of s that comes first in the order before, of those on one side of i.
// end returns the first slice of an interval on that side, and whether ranks leave it open.
func (s Set) nearest(
	i Ideal, before func(a, b Ideal) bool, end func(Interval) (at Ideal, open, ok bool),
) (nearest Ideal, found, ok bool) {
	if s.Contains(i) {
		return i, true, true
	}
	var ends []Ideal
	for _, iv := range s.ivs {
		at, open, ok := end(iv)
		if !ok {
			continue
		}
		if open {
			return i, false, false
		}
		if ends = append(ends, at); len(ends) == 1 || before(at, nearest) {
			nearest = at
		}
	}
	for _, at := range ends {
		if !before(nearest, at) {
			return i, false, false
		}
	}
	return nearest, len(ends) > 0, true
}
