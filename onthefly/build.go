package onthefly

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// builder makes the stages of formulas that tlcheck.Monitorable accepts. Equal nodes share a stage,
// also across formulas.
type builder struct {
	set    *formula.Set
	shared map[key]*stage
	stages []*stage

	// State of the formula being built.
	initially bool           // only the slice before all events counts
	conds     []formula.Cond // those around the node being built, at the top
	around    string         // conds as text
}

// key identifies a stage.
type key struct {
	nodes          string // number of a node, or of local nodes that must hold together
	top, initially bool
	around         string // conditions at the top
}

func newBuilder(set *formula.Set) *builder { return &builder{set: set, shared: map[key]*stage{}} }

// root returns the root of a formula.
func (b *builder) root(f *formula.Formula) *root {
	b.initially, b.conds, b.around = f.Property.Initially, nil, ""
	top := b.node(f.Violated, true)
	top.readers++
	return &root{property: f.Property, formula: f, top: top}
}

// node returns the stage of a node. At the top only the TIVA of a violation matters.
func (b *builder) node(n *formula.Node, top bool) *stage {
	if n.Local {
		return b.leaf(conjuncts(nil, n), n.Part.Source, n.Value)
	}
	k := key{nodes: fmt.Sprint(n.Number)}
	if top = top && !isFuture(n); top {
		k.top, k.initially, k.around = true, b.initially, b.around
	}
	s, ok := b.shared[k]
	if !ok {
		s = b.build(n, top)
		b.shared[k] = s
		s.formula, s.value = n.Part.Source, n.Value
	}
	return s
}

func (b *builder) build(n *formula.Node, top bool) *stage {
	switch {
	case n.Kind == formula.And:
		return b.conjunction(conjuncts(nil, n), top)
	case n.Kind == formula.Or:
		return b.union(n, top)
	case n.Kind == formula.If:
		return b.conditional(n, top)
	case n.Kind == formula.Until && !n.Complement && top && !b.initially:
		// p is irrelevant one step before a goal
		return b.stage(nextNode{1}, b.node(n.Kids[1], false))
	case isSimple(n):
		return b.until(n, top)
	case isWithoutNext(n) && top:
		return b.guardedNext(b.stage(&initialNode{slots: len(b.set.Names)}), n)
	case isWide(n) && top && b.initially:
		return b.wideUntil(b.stage(&initialNode{slots: len(b.set.Names)}), n)
	case n.Complement || n.Kind == formula.Until:
		return b.stage(newWindow(n, b.set))
	case n.Kind == formula.Exists:
		return b.stage(existential{n.Slot}, b.node(n.Kids[0], top))
	}
	s := b.node(n.Kids[0], false)
	switch n.Kind {
	case formula.Next:
		return b.stage(nextNode{n.K}, s)
	case formula.Sometime:
		return b.stage(sometimeNode{}, s)
	}
	return b.stage(disjunction{}, b.stage(sometimeNode{}, s), s) // formula.Eventually
}

// union returns the stage of a union. With guards, a part counts only where the parts before it are
// false.
func (b *builder) union(n *formula.Node, top bool) *stage {
	var parts []*stage
	var open *stage // where all earlier parts are false
	for i, k := range n.Kids {
		part := b.node(k, top && n.Guards == nil)
		if open != nil {
			part = b.stage(&conjunction{}, open, part)
		}
		parts = append(parts, part)
		if i >= len(n.Guards) {
			continue
		}
		if not := b.node(n.Guards[i], false); open == nil {
			open = not
		} else {
			open = b.stage(&conjunction{}, open, not)
		}
	}
	return b.stage(disjunction{}, parts...)
}

// conditional returns the stage of a node under conditions.
func (b *builder) conditional(n *formula.Node, top bool) *stage {
	conds, around := b.conds, b.around
	b.conds = stdslices.Concat(conds, n.Conds)
	b.around = fmt.Sprint(b.conds)
	defer func() { b.conds, b.around = conds, around }()
	return b.stage(&conditionNode{conds: n.Conds, top: top}, b.node(n.Kids[0], top))
}

// until returns the stage of an until of local formulas.
func (b *builder) until(n *formula.Node, top bool) *stage {
	if top { // only the slice before all events counts
		return b.guarded(b.stage(&initialNode{slots: len(b.set.Names)}), n)
	}
	ways, bad, goal := b.untilState(n)
	return b.stage(&untilNode{ways}, bad, goal)
}

// guarded returns the stage of an until of local formulas, restricted to the slices of core.
func (b *builder) guarded(core *stage, n *formula.Node) *stage {
	ways, bad, goal := b.untilState(n)
	return b.stage(newGuardedUntil(ways, b.conds, b.initially), core, bad, goal)
}

// guardedNext returns the stage of a local formula that is true in no successor, restricted to the
// slices of core.
func (b *builder) guardedNext(core *stage, n *formula.Node) *stage {
	q := n.Kids[0]
	return b.stage(newGuardedNext(q.Free[0], b.conds, b.initially), core, b.node(q, false))
}

// isWithoutNext reports whether a node has the slices without a successor in which a local formula
// is true.
func isWithoutNext(n *formula.Node) bool {
	return n.Kind == formula.Next && n.Complement && n.K == 1 && n.Kids[0].Local
}

// wideUntil returns the stage of an until of combinations of local formulas, restricted to the
// slices of core.
func (b *builder) wideUntil(core *stage, n *formula.Node) *stage {
	p, q := n.Kids[0], n.Kids[1]
	return b.stage(newWideUntil(p, q, b.conds, b.initially), core, b.node(p, false), b.node(q, false))
}

// isWide reports whether a node is an until of combinations of local formulas.
func isWide(n *formula.Node) bool {
	return n.Kind == formula.Until && !n.Complement && isPresent(n.Kids[0], 0) && isPresent(n.Kids[1], 0)
}

// isSimple reports whether a node is an until of local formulas.
func isSimple(n *formula.Node) bool {
	return n.Kind == formula.Until && !n.Complement && n.Kids[0].Local && n.Kids[1].Local
}

// untilState returns the state of a stage for p until q, and the stages of the slices in which p is
// false and in which q is true.
func (b *builder) untilState(n *formula.Node) (w untilState, bad, goal *stage) {
	p, q := n.Kids[0], n.Kids[1]
	return newUntilState(p.Free[0], q.Free[0]), b.node(p, false), b.node(q, false)
}

// isFuture reports whether a node looks only at later slices. Its stage is the same at the top and
// elsewhere.
func isFuture(n *formula.Node) bool {
	return !isWithoutNext(n) && (n.Kind == formula.Next || n.Kind == formula.Sometime || n.Kind == formula.Eventually)
}

// leaf returns the stage of local nodes of one slot that must hold together: it has the slices in
// which f has that value.
func (b *builder) leaf(nodes []*formula.Node, f spec.Formula, value bool) *stage {
	numbers := make([]int, len(nodes))
	for i, n := range nodes {
		numbers[i] = n.Number
	}
	k := key{nodes: fmt.Sprint(numbers)}
	s, ok := b.shared[k]
	if !ok {
		s = b.stage(&leaf{nodes: nodes, slot: nodes[0].Free[0], slots: len(b.set.Names)})
		s.formula, s.value = f, value
		b.shared[k] = s
	}
	return s
}

func (b *builder) stage(n node, kids ...*stage) *stage {
	s := &stage{node: n, kids: kids, fresh: make([][]*openInterval, len(kids)), calm: isCalmNode(n)}
	for _, k := range kids {
		s.deep = s.deep || k.lag == unbounded
		k.readers++
	}
	b.stages = append(b.stages, s)
	s.lag = lagOf(n, kids)
	switch n := n.(type) {
	case *conjunction:
		n.left.lag, n.right.lag = kids[1].lag, kids[0].lag
	case *guardedUntil:
		n.core.lag = max(1, kids[0].lag)
		n.close.left.lag, n.close.right.lag = 1, kids[0].lag
	case *wideUntil:
		n.close.left.lag = 1
	}
	return s
}

// unbounded is the lag of a node whose open intervals can have slices any number of steps back.
const unbounded = -1

// lagOf returns a bound on how far back the slices of new open intervals are: each has some local
// state that its task left at most that many events of its own ago.
func lagOf(n node, kids []*stage) int {
	lag := 0
	for _, k := range kids {
		if k.lag == unbounded {
			return unbounded
		}
		lag = max(lag, k.lag)
	}
	switch n := n.(type) {
	case *leaf, *initialNode, *conjunction, *conjunctionJoin, disjunction, existential:
		return lag
	case nextNode:
		return lag + n.k
	}
	return unbounded
}
