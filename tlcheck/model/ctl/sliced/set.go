package sliced

import (
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// set is a set of slices with lazily computed intervals. Often membership of single slices, or only
// the complement, is needed. The complement is computed from the complements of the operands, since
// an intersection could pass through much larger sets.
type set struct {
	*node
	not bool // complement of the node
}

// node is a computed set, or the intersection of two other nodes.
type node struct {
	x, y  set // unset if the set is computed
	sides [2]*slices.Set

	// the state of the last membership test; sets share parts, so each part tests a state once
	asked  kripke.State
	answer bool
}

// The sides of a node.
const (
	inside  = iota
	outside // the complement
)

// known wraps a computed set.
func known(s slices.Set) set {
	return set{node: &node{sides: [2]*slices.Set{inside: &s}, asked: -1}}
}

func (x set) complement() set { return set{x.node, !x.not} }

func (s *Space) And(x, y set) set {
	none := s.every.complement()
	switch {
	case x == none, y == none, x == y.complement():
		return none
	case x == s.every:
		return y
	case x == y, y == s.every:
		return x
	}
	return set{node: &node{x: x, y: y, asked: -1}}
}

func (s *Space) Or(x, y set) set { return s.And(x.complement(), y.complement()).complement() }

func (s *Space) Minus(x, y set) set { return s.And(x, y.complement()) }

func (s *Space) intervals(b slices.Budget, x set) (slices.Set, error) {
	side := inside
	if x.not {
		side = outside
	}
	if x.sides[side] == nil {
		computed, err := s.compute(b, x.node, side)
		if err != nil {
			return slices.Set{}, err
		}
		x.sides[side] = &computed
	}
	return *x.sides[side], nil
}

func (s *Space) compute(b slices.Budget, n *node, side int) (slices.Set, error) {
	if n.x.node == nil {
		return n.sides[1-side].Complement(b)
	}
	x, y := n.x, n.y
	if side == outside {
		x, y = x.complement(), y.complement()
	}
	left, err := s.intervals(b, x)
	if err != nil {
		return slices.Set{}, err
	}
	right, err := s.intervals(b, y)
	if err != nil {
		return slices.Set{}, err
	}
	if side == inside {
		return left.Intersect(b, right)
	}
	return left.Union(b, right)
}

func (s *Space) Has(x set, at kripke.State) bool { return s.contains(x, at, s.run.Slice(at)) }

// contains reports whether a set has a state, which is a slice.
func (s *Space) contains(x set, at kripke.State, slice slices.Ideal) bool {
	n := x.node
	if n.asked != at {
		if n.x.node == nil {
			n.answer = n.sides[inside].Contains(slice)
		} else {
			n.answer = s.contains(n.x, at, slice) && s.contains(n.y, at, slice)
		}
		n.asked = at
	}
	return n.answer != x.not
}
