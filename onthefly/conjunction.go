package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// conjuncts appends the operands of an intersection, n itself if it is none.
func conjuncts(nodes []*formula.Node, n *formula.Node) []*formula.Node {
	if n.Kind != formula.And {
		return append(nodes, n)
	}
	for _, k := range n.Kids {
		nodes = conjuncts(nodes, k)
	}
	return nodes
}

// conjunction first joins the parts whose new open intervals contain new local states: there are
// few of them at any time. If the only other part is an until of local formulas, they guard it.
func (b *builder) conjunction(nodes []*formula.Node, top bool) *stage {
	locals, others := bySlot(nodes)
	if top && len(others) == 0 && 1 < len(locals) && len(locals) <= maxJoined {
		return b.conjunctionJoin(locals)
	}
	var s *stage
	join := func(k *stage) {
		if s == nil {
			s = k
			return
		}
		s = b.stage(&conjunction{}, s, k)
	}
	for _, l := range locals {
		join(b.conjunctionLeaf(l))
	}
	var late []*formula.Node
	for _, n := range others {
		if isPresent(n, 1) {
			join(b.node(n, false))
		} else {
			late = append(late, n)
		}
	}
	if top && s != nil && len(late) == 1 {
		if isSimple(late[0]) {
			return b.guarded(s, late[0])
		}
		if isWide(late[0]) && s.lag == 0 {
			return b.wideUntil(s, late[0])
		}
		if isWithoutNext(late[0]) && s.lag == 0 {
			return b.guardedNext(s, late[0])
		}
		if len(locals) == 1 && len(others) == 1 && isLater(late[0]) && !b.initially {
			return b.since(locals[0], late[0].Kids[0])
		}
	}
	for _, n := range late {
		join(b.node(n, false))
	}
	return s
}

// isLater reports whether a node asks for a local formula in some later slice.
func isLater(n *formula.Node) bool {
	return n.Kind == formula.Sometime && !n.Complement && n.Kids[0].Local
}

// since returns the stage of local nodes c of one slot, at the top, followed by x.
//
// Then it only matters for which tasks c was true before x, or at the same time. So of the rows of
// c, the last one is kept for each TIVA, and one for those that differ only in tasks that neither x
// nor a condition refers to. Of x, the last row of each task is kept, as in conjunctionJoin.
func (b *builder) since(c []*formula.Node, x *formula.Node) *stage {
	n := &conjunction{}
	n.right.last = []int{x.Free[0]}
	n.left.last = n.right.last
	for _, c := range b.conds {
		n.left.last = append(n.left.last[:len(n.left.last):len(n.left.last)], c.Left, c.Right)
	}
	return b.stage(n, b.conjunctionLeaf(c), b.stage(sometimeNode{}, b.node(x, false)))
}

// bySlot separates local nodes, grouped by slot in order of first occurrence, from the others.
func bySlot(nodes []*formula.Node) (locals [][]*formula.Node, others []*formula.Node) {
	at := map[int]int{}
	for _, n := range nodes {
		if !n.Local {
			others = append(others, n)
			continue
		}
		i, ok := at[n.Free[0]]
		if !ok {
			i = len(locals)
			at[n.Free[0]] = i
			locals = append(locals, nil)
		}
		locals[i] = append(locals[i], n)
	}
	return locals, others
}

// conjunctionLeaf returns the stage of local nodes of one slot that must hold together.
func (b *builder) conjunctionLeaf(nodes []*formula.Node) *stage {
	if len(nodes) == 1 {
		return b.node(nodes[0], false)
	}
	and := &spec.Nary{Op: spec.And}
	for _, n := range nodes {
		x := n.Part.Source
		if !n.Value {
			x = &spec.Not{X: x}
		}
		and.Xs = append(and.Xs, x)
	}
	return b.leaf(nodes, and, true)
}

// conjunctionJoin returns the stage of local formulas of different slots.
func (b *builder) conjunctionJoin(locals [][]*formula.Node) *stage {
	var slots []int
	var kids []*stage
	for _, l := range locals {
		slots = append(slots, l[0].Free[0])
		kids = append(kids, b.conjunctionLeaf(l))
	}
	return b.stage(newConjunctionJoin(slots, b.conds, len(b.set.Names)), kids...)
}

// isPresent reports whether a node is about local states at most that many steps ahead. It becomes
// true at most that many steps before a new local state.
func isPresent(n *formula.Node, steps int) bool {
	switch {
	case n.Local:
		return true
	case n.Kind == formula.Next && !n.Complement:
		if steps -= n.K; steps < 0 {
			return false
		}
	case n.Kind != formula.And && n.Kind != formula.Or:
		return false
	}
	return !stdslices.ContainsFunc(n.Kids, func(k *formula.Node) bool { return !isPresent(k, steps) })
}
