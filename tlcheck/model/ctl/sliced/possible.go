package sliced

import "github.com/antichain-go/antichain/slices"

// What can be reached through all slices asks less of the goal than its intervals. Of a disjunction each part is reached by itself,
// and of a conjunction of local formulas the greatest slice tells from where, and the least one how.

// parts returns the two sets of which x is the union; false if it is made otherwise.
func (x set) parts() (y, z set, ok bool) {
	if x.node.x.node == nil || !x.not {
		return x, x, false
	}
	return x.node.x.complement(), x.node.y.complement(), true
}

// factors returns the sets of which x is the intersection.
func (s *Space) factors(x set) []slices.Set {
	if x.node.x.node == nil || x.not {
		return []slices.Set{s.intervals(x)}
	}
	return append(s.factors(x.node.x), s.factors(x.node.y)...)
}

// below returns the slices at or below one of goal.
func (s *Space) below(goal set) set {
	if x, y, ok := goal.parts(); ok {
		return s.Or(s.below(x), s.below(y))
	}
	last, found, ok := s.lattice.Last(s.lattice.Top(), s.factors(goal))
	s.done(slices.Set{})
	switch {
	case !ok:
		return s.leading(s.every, s.intervals(goal))
	case !found:
		return s.every.complement()
	}
	return known(s.lattice.Set(slices.Interval{Hi: last}))
}

// nearest returns a slice of goal, at or above one, with the fewest actions; false if there is none.
func (s *Space) nearest(from slices.Ideal, goal set) (slices.Ideal, bool) {
	if x, y, ok := goal.parts(); ok {
		i, found := s.nearest(from, x)
		j, also := s.nearest(from, y)
		if !found || also && j.Size() < i.Size() {
			return j, also
		}
		return i, true
	}
	first, found, ok := s.lattice.First(from, s.factors(goal))
	if !ok {
		above := s.lattice.Set(slices.Interval{Lo: from, Hi: s.lattice.Top()})
		first, found = s.intervals(goal).Intersect(above).Least()
	}
	s.done(slices.Set{})
	return first, found
}
