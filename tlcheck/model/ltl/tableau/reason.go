package tableau

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Reason explains why a formula is not satisfiable: all nodes of the tableau were removed.
type Reason struct {
	Nodes int // number of removed nodes
	// Removed are the first nodes that were removed for a reason of their own, not only because of
	// others.
	Removed []RemovedNode
}

// RemovedNode is a removed node, or a removed strongly connected component.
type RemovedNode struct {
	Formulas []*temporal.Formula // claims of a node
	// eventualities that are postponed for ever; none if the formulas contradict each other
	Unfulfilled []*temporal.Formula
}

// MaxRemoved limits the nodes of a Reason.
const MaxRemoved = 16

// maxWritten limits the operators and atoms that are written of all formulas of a node. In negation
// normal form they can be much longer than the original.
const maxWritten = 1000

// removals collects the Reason from the removals of a search.
type removals struct {
	*construction
	reason Reason
}

// add records a removed component.
func (r *removals) add(nodes []int32, fulfilled smallset.Set, cycle bool) {
	r.reason.Nodes += len(nodes)
	contradiction := !cycle && len(r.analyzed[labelledNode{nodes[0], none}].edges) == 0
	if !cycle && !contradiction || len(r.reason.Removed) == MaxRemoved {
		return
	}
	w := &writer{closure: r.closure, left: maxWritten}
	var removed RemovedNode
	for i := range r.eventualities {
		if cycle && !fulfilled.Has(i) {
			removed.Unfulfilled = append(removed.Unfulfilled, w.formula(r.promised[i]))
		}
	}
	for i := range r.asks(nodes[0]).All() {
		removed.Formulas = append(removed.Formulas, w.formula(r.written[i]))
	}
	r.reason.Removed = append(r.reason.Removed, removed)
}

// writer turns terms into formulas.
type writer struct {
	*closure
	left int // remaining operators and atoms
}

// formula returns a term as a formula, with dots in place of parts beyond the limit.
func (w *writer) formula(x term) *temporal.Formula {
	if w.left--; w.left < 0 {
		return atom("…")
	}
	n := w.terms.Nodes[x]
	var args []*temporal.Formula
	for _, y := range n.Args {
		args = append(args, w.formula(y))
		if w.left < 0 {
			break
		}
	}
	for len(args) < min(len(n.Args), 2) {
		args = append(args, atom("…"))
	}
	switch n.Kind {
	case kindFalse:
		return &temporal.Formula{Op: temporal.False}
	case kindTrue:
		return &temporal.Formula{Op: temporal.True}
	case kindLiteral:
		f := atom(w.atoms[n.Atom/2])
		if n.Atom%2 == 1 {
			f = &temporal.Formula{Op: temporal.Not, X: f}
		}
		return f
	case kindNext:
		return &temporal.Formula{Op: temporal.Next, X: args[0]}
	case kindUntil:
		return pathFormula(temporal.Until, temporal.Eventually, n.Args[0] == terms.True, args)
	case kindRelease:
		return pathFormula(temporal.Release, temporal.Always, n.Args[0] == terms.False, args)
	}
	op := temporal.And
	if n.Kind == kindOr {
		op = temporal.Or
	}
	f := args[0]
	for _, y := range args[1:] {
		f = &temporal.Formula{Op: op, X: f, Y: y}
	}
	return f
}

func atom(text string) *temporal.Formula {
	return &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: text}}
}

// pathFormula makes a formula of two operands, or of the second one.
func pathFormula(both, second temporal.Op, short bool, args []*temporal.Formula) *temporal.Formula {
	if short {
		return &temporal.Formula{Op: second, X: args[1]}
	}
	return &temporal.Formula{Op: both, X: args[0], Y: args[1]}
}
