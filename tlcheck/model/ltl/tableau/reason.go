package tableau

import (
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Reason says why a formula is not satisfiable: all nodes of the tableau were removed.
type Reason struct {
	Nodes int // how many
	// Removed are the first of those that were not removed only because others were.
	Removed []RemovedNode
}

// RemovedNode is a node, or several between which there are ways, that were removed.
type RemovedNode struct {
	Formulas    []*temporal.Formula // what holds in a node
	Unfulfilled []*temporal.Formula // eventualities that are postponed for ever; none if the formulas contradict each other
}

// MaxRemoved is how many removed nodes a Reason names.
const MaxRemoved = 16

// maxWritten is how many operators and atoms of a formula are written down, and of all formulas of a node. In negation normal form they can
// be much longer than they were.
const maxWritten = 1000

// removals makes a reason of what a search removes.
type removals struct {
	*construction
	reason Reason
}

// add takes note of a component.
func (r *removals) add(nodes []int32, fulfilled smallset.Set, cycle bool) {
	r.reason.Nodes += len(nodes)
	contradiction := !cycle && len(r.analyzed[place{nodes[0], none}].edges) == 0
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

// writer makes formulas of terms.
type writer struct {
	*closure
	left int // how much may still be written
}

// formula returns a term as a formula. What is too long ends in dots.
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
