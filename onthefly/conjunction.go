package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// conjuncts adds what a node is an intersection of.
func conjuncts(nodes []*formula.Node, n *formula.Node) []*formula.Node {
	if n.Kind != formula.And {
		return append(nodes, n)
	}
	for _, k := range n.Kids {
		nodes = conjuncts(nodes, k)
	}
	return nodes
}

// conjunction joins first the parts of which new open intervals contain new local states: these are
// few at any time. An until of local formulas that is the only other part is guarded by them.
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

// isLater reports whether a node is about a local formula in some later slice.
func isLater(n *formula.Node) bool {
	return n.Kind == formula.Sometime && !n.Complement && n.Kids[0].Local
}

// since returns the stage of local nodes c of one slot, at the top, that are followed by x.
//
// All that matters then is of which tasks c was true before x, or at the same time. So of the rows
// of c the last is kept for each TIVA, and one for those that differ only in what neither x nor a
// condition speaks about; and of x, the last row of each task, as in conjunctionJoin.
func (b *builder) since(c []*formula.Node, x *formula.Node) *stage {
	n := &conjunction{}
	n.right.last = []int{x.Free[0]}
	n.left.last = n.right.last
	for _, c := range b.conds {
		n.left.last = append(n.left.last[:len(n.left.last):len(n.left.last)], c.Left, c.Right)
	}
	return b.stage(n, b.conjunctionLeaf(c), b.stage(sometimeNode{}, b.node(x, false)))
}

// bySlot divides nodes into those that are local, by slot in the order in which the first of each
// comes, and others.
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

// conjunctionLeaf returns the stage of local nodes of one slot that have to hold together.
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

// isPresent reports whether a node is about local states up to so many steps ahead: where it
// is newly true is at most that many steps before something new.
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
