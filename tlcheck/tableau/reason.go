package tableau

import "github.com/antichain-go/antichain/tlcheck/temporal"

// Reason says why a formula is not satisfiable: all nodes of the tableau were removed.
type Reason struct {
	Nodes int // how many
	// Removed are the first of those that were not removed only because others were.
	Removed []Removed
}

// Removed is a node, or several between which there are ways, that were removed.
type Removed struct {
	Formulas    []*temporal.Formula // what holds in a node
	Unfulfilled []*temporal.Formula // eventualities that are postponed for ever; none if the formulas contradict each other
}

// MaxRemoved is how many removed nodes a Reason names.
const MaxRemoved = 16

// removals makes a reason of what a search removes.
type removals struct {
	*construction
	reason Reason
}

// add takes note of a component.
func (r *removals) add(nodes []int32, fulfilled set, cycle bool) {
	r.reason.Nodes += len(nodes)
	contradiction := !cycle && len(r.analyzed[place{nodes[0], none}].edges) == 0
	if !cycle && !contradiction || len(r.reason.Removed) == MaxRemoved {
		return
	}
	removed := Removed{Formulas: r.formulas(nodes[0])}
	for i := range r.eventualities {
		if cycle && !fulfilled.has(i) {
			removed.Unfulfilled = append(removed.Unfulfilled, r.terms.formula(r.promised[i], r.atoms))
		}
	}
	r.reason.Removed = append(r.reason.Removed, removed)
}

// formulas returns what holds in a node.
func (r *removals) formulas(node int32) (all []*temporal.Formula) {
	for i := range r.asks(node).all {
		all = append(all, r.terms.formula(r.written[i], r.atoms))
	}
	return all
}

// formula returns a term as a formula.
func (t *terms) formula(x term, atoms []string) *temporal.Formula {
	n := t.nodes[x]
	var args []*temporal.Formula
	for _, y := range n.args {
		args = append(args, t.formula(y, atoms))
	}
	switch n.kind {
	case kindFalse:
		return &temporal.Formula{Op: temporal.False}
	case kindTrue:
		return &temporal.Formula{Op: temporal.True}
	case kindLiteral:
		f := &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: atoms[n.literal/2]}}
		if n.literal%2 == 1 {
			f = &temporal.Formula{Op: temporal.Not, X: f}
		}
		return f
	case kindNext:
		return &temporal.Formula{Op: temporal.Next, X: args[0]}
	case kindUntil:
		return pathFormula(temporal.Until, temporal.Eventually, n.args[0] == termTrue, args)
	case kindRelease:
		return pathFormula(temporal.Release, temporal.Always, n.args[0] == termFalse, args)
	}
	op := temporal.And
	if n.kind == kindOr {
		op = temporal.Or
	}
	f := args[0]
	for _, y := range args[1:] {
		f = &temporal.Formula{Op: op, X: f, Y: y}
	}
	return f
}

// pathFormula makes a formula of two operands, or of the second one.
func pathFormula(both, second temporal.Op, short bool, args []*temporal.Formula) *temporal.Formula {
	if short {
		return &temporal.Formula{Op: second, X: args[1]}
	}
	return &temporal.Formula{Op: both, X: args[0], Y: args[1]}
}
