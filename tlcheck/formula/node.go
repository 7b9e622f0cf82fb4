package formula

import "github.com/antichain-go/antichain/tlcheck/lsl"

// Kind is the operation by which a node is computed from its operands.
type Kind uint8

// The kinds of nodes. For a negation, an operator that is never undefined complements its own set.
const (
	Atom       Kind = iota
	And             // intersection
	Or              // union; with guards, an operand counts only where those before it are false
	If              // the operand's set, or empty if a condition fails
	Next            // K steps before the operand's set
	Sometime        // strictly below the operand's set
	Eventually      // in the operand's set or below it
	Until           // operands: where p is false, where q is true
	Exists          // union over tasks
)

// Node is the set of slices in which a part is true, or false, as a function of the assignment of
// tasks to task variables.
type Node struct {
	Number     int // in the Set
	Kind       Kind
	Complement bool // the set is the complement of that of Kind; only from Next on
	Kids       []*Node
	Guards     []*Node // Or in Frey96: where Kids[i] is false, for all but the last

	Atom  int       // Atom: number of the local formula
	Want  lsl.Truth // Atom: its value, True or False
	Conds []Cond    // If
	K     int       // Next
	Slot  int       // Atom: of its task variable; Exists: of the one it binds

	Free  []int // slots that the set depends on, ascending
	Local bool  // the set depends only on the local state of the task of one slot

	Part  *Part // one of the parts with this node or its complement
	Value bool  // of Part in the slices of the node
}

// Operands iterates over the direct operands.
func (n *Node) Operands(yield func(*Node) bool) {
	for _, nodes := range [...][]*Node{n.Kids, n.Guards} {
		for _, k := range nodes {
			if !yield(k) {
				return
			}
		}
	}
}

// Holds reports whether a local node includes a local state of its task, given the values of all
// local formulas there by number.
func (n *Node) Holds(locals []lsl.Truth) bool { return n.Part.Truth(locals) == lsl.TruthOf(n.Value) }
