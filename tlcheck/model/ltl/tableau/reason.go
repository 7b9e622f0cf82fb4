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
	w := &terms.Writer{Nodes: r.terms.Nodes, Atoms: r.atoms, Left: maxWritten}
	var removed RemovedNode
	for i := range r.eventualities {
		if cycle && !fulfilled.Has(i) {
			removed.Unfulfilled = append(removed.Unfulfilled, w.Formula(r.promised[i]))
		}
	}
	for i := range r.asks(nodes[0]).All() {
		removed.Formulas = append(removed.Formulas, w.Formula(r.written[i]))
	}
	r.reason.Removed = append(r.reason.Removed, removed)
}
