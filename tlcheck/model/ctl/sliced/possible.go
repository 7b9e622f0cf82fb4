package sliced

import (
	"errors"

	"github.com/antichain-go/antichain/slices"
)

// Reachability through all slices does not need the intervals of the goal. The parts of a
// disjunction are reached independently. Of a conjunction of local formulas, the greatest slice
// decides from which slices it is reachable, and the least one is the end of the path.

// unionParts returns two sets whose union is x. It reports false if x is not a union.
func (x set) unionParts() (y, z set, ok bool) {
	if x.node.x.node == nil || !x.not {
		return x, x, false
	}
	return x.node.x.complement(), x.node.y.complement(), true
}

// factors returns sets whose intersection is x.
func (s *Space) factors(x set) ([]slices.Set, error) {
	if x.node.x.node == nil || x.not {
		all, err := s.intervals(s.work, x)
		return []slices.Set{all}, err
	}
	left, err := s.factors(x.node.x)
	if err != nil {
		return nil, err
	}
	right, err := s.factors(x.node.y)
	return append(left, right...), err
}

// below returns the slices at or below some slice of goal.
func (s *Space) below(goal set) (set, error) {
	if x, y, ok := goal.unionParts(); ok {
		left, err := s.below(x)
		if err != nil {
			return set{}, err
		}
		right, err := s.below(y)
		if err != nil {
			return set{}, err
		}
		return s.Or(left, right), nil
	}
	factors, err := s.factors(goal)
	if err != nil {
		return set{}, err
	}
	last, found, err := s.lattice.GreatestCommon(s.work, s.lattice.Top(), factors)
	switch {
	case errors.Is(err, slices.ErrNotClosed):
		to, err := s.intervals(s.work, goal)
		if err != nil {
			return set{}, err
		}
		return s.leading(s.every, to)
	case err != nil:
		return set{}, err
	case !found:
		return s.every.complement(), nil
	}
	return known(s.lattice.Set(slices.Interval{Hi: last})), nil
}

// nearest returns a slice of goal, at or above one, with the fewest actions. It reports false if
// there is none.
func (s *Space) nearest(from slices.Ideal, goal set) (slices.Ideal, bool, error) {
	if x, y, ok := goal.unionParts(); ok {
		i, found, err := s.nearest(from, x)
		if err != nil {
			return i, false, err
		}
		j, also, err := s.nearest(from, y)
		if err != nil || !found || also && j.Size() < i.Size() {
			return j, also, err
		}
		return i, true, nil
	}
	factors, err := s.factors(goal)
	if err != nil {
		return from, false, err
	}
	first, found, err := s.lattice.LeastCommon(s.work, from, factors)
	if errors.Is(err, slices.ErrNotClosed) {
		return s.leastAbove(from, goal)
	}
	return first, found, err
}

// leastAbove is nearest for a goal that is not closed under intersection.
func (s *Space) leastAbove(from slices.Ideal, goal set) (slices.Ideal, bool, error) {
	to, err := s.intervals(s.work, goal)
	if err == nil {
		to, err = to.Intersect(s.work, s.lattice.Set(slices.Interval{Lo: from, Hi: s.lattice.Top()}))
	}
	if err != nil {
		return from, false, err
	}
	first, found := to.Least()
	return first, found, nil
}
