package tlcheck

import (
	"errors"
	stdslices "slices"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// A temporal operator over a conjunction of several task variables implies the same operator over a
// part of it: next (p and q) implies next p. A branch projected to some of its task variables has a
// violation wherever the branch has one, and fewer assignments. So if one such projection has none,
// the branch has none.

// errFound ends the search of a projection that has a violation.
var errFound = errors.New("there is a violation")

// refutedByProjection reports whether some projection of the branch has no violation. False proves
// nothing.
func (s *search) refutedByProjection(b *branch) (bool, error) {
	if s.initially || s.last || s.climbs(b) {
		return false, nil
	}
	nodes := len(s.memos)
	defer s.forget(nodes)
	for _, slot := range b.outer {
		p := s.projection(b, slot)
		if p == nil {
			continue
		}
		sub := search{evaluator: s.evaluator, formula: s.formula, hasJointAction: s.hasJointAction, anyViolation: true}
		sub.start()
		// no errFound if the last assignment has the violation
		err := sub.search(sub.beforeGoals([]*branch{p}))
		var large *slices.IntervalsError
		switch {
		case sub.best != nil, errors.As(err, &large):
		case err != nil:
			return false, err
		default:
			return true, nil
		}
	}
	return false, nil
}

// forget removes the nodes from that number on, which belong to projections.
func (s *search) forget(from int) {
	for _, m := range s.memos[from:] {
		for _, set := range m.sets {
			s.evaluator.intervals -= 1 + len(set.Intervals())
		}
		for _, set := range m.predecessors {
			s.evaluator.intervals -= 1 + len(set.Intervals())
		}
	}
	s.memos, s.steep = s.memos[:from], s.steep[:from]
}

// projection returns the branch without the outer slots other than one. It is nil if nothing is
// left out, or if no rest remains.
func (s *search) projection(b *branch, slot int) *branch {
	p := &branch{core: map[int][]*formula.Node{}}
	keep := func(slots ...int) bool {
		return !stdslices.ContainsFunc(slots,
			func(other int) bool { return other != slot && stdslices.Contains(b.outer, other) })
	}
	for _, n := range b.items {
		if n = s.project(n, keep); n != nil {
			p.items = append(p.items, n)
		}
	}
	for _, c := range b.conds {
		if keep(c.Left, c.Right) {
			p.conds = append(p.conds, c)
		}
	}
	if p.finish(); len(p.rest) == 0 || keep(b.outer...) {
		return nil
	}
	return p
}

// project returns a node that has all slices of n and depends only on slots that keep accepts; nil
// if there is none but that of all slices.
func (s *search) project(n *formula.Node, keep func(...int) bool) *formula.Node {
	if keep(n.Free...) {
		return n
	}
	if n.Complement {
		return nil
	}
	m := *n
	switch n.Kind {
	case formula.Next, formula.Sometime, formula.Eventually:
		m.Kids = s.projectAll(n.Kids, keep)
	case formula.And, formula.If:
		if m.Kids = s.projectAll(n.Kids, keep); len(m.Kids) == 1 {
			return m.Kids[0] // without the conditions
		}
	case formula.Until:
		m.Kids = s.projectAll(n.Kids[1:], keep)
		if bad := s.inside(n.Kids[0], keep); bad != nil && len(m.Kids) > 0 {
			m.Kids = []*formula.Node{bad, m.Kids[0]}
		} else {
			m.Kind = formula.Sometime
		}
	default:
		return nil
	}
	if len(m.Kids) == 0 {
		return nil
	}
	return s.newNode(m)
}

func (s *search) projectAll(nodes []*formula.Node, keep func(...int) bool) []*formula.Node {
	var all []*formula.Node
	for _, n := range nodes {
		if n = s.project(n, keep); n != nil {
			all = append(all, n)
		}
	}
	return all
}

// inside returns a node that has only slices of n and depends only on slots that keep accepts; nil
// if there is none but that of no slice.
func (s *search) inside(n *formula.Node, keep func(...int) bool) *formula.Node {
	if keep(n.Free...) {
		return n
	}
	if n.Kind != formula.Or || n.Guards != nil {
		return nil
	}
	m := *n
	m.Kids = stdslices.DeleteFunc(stdslices.Clone(n.Kids), func(k *formula.Node) bool { return !keep(k.Free...) })
	switch len(m.Kids) {
	case 0:
		return nil
	case 1:
		return m.Kids[0]
	}
	return s.newNode(m)
}

// newNode returns a node outside of the formula; n has its kids.
func (s *search) newNode(n formula.Node) *formula.Node {
	n.Free = nil
	for _, k := range n.Kids {
		n.Free = append(n.Free, k.Free...)
	}
	stdslices.Sort(n.Free)
	n.Free = stdslices.Compact(n.Free)
	n.Local = (n.Kind == formula.And || n.Kind == formula.Or) && len(n.Free) == 1 &&
		!stdslices.ContainsFunc(n.Kids, func(k *formula.Node) bool { return !k.Local })
	n.Number = len(s.memos)
	s.memos = append(s.memos, new(memo))
	s.steep = append(s.steep, false)
	return &n
}
