package formula

import "github.com/antichain-go/antichain/tlcheck/lsl"

// Kind is what a node computes from those below it.
type Kind uint8

// The kinds of nodes. Each operator that is never undefined has two: its set, and
// the complement of it for the negation.
const (
	Atom       Kind = iota
	And             // intersection
	Or              // union; with guards a kid counts only where those before it are false
	If              // the kid's set, or empty if a condition fails
	Next            // K steps before the kid's set
	Sometime        // strictly below it
	Eventually      // in it or below it
	Until           // kids: where p is false, where q is true
	Exists          // union over tasks
)

// Node is the set of the slices in which a part is true, or of those in which it is false, as a function of the tasks
// that the task variables stand for.
type Node struct {
	Number     int // in the set
	Kind       Kind
	Complement bool // of what Kind says; only of kinds from Next on
	Kids       []*Node
	Guards     []*Node // Or in frey96: where Kids[i] is false, for all but the last

	Atom  int       // Atom: number of the local formula
	Want  lsl.Truth // Atom: the value that it has, True or False
	Conds []Cond    // If
	K     int       // Next
	Slot  int       // Atom: of the task variable; Exists: of the one that is bound

	Free  []int // slots that the set depends on, ascending
	Local bool  // it depends on the local state of one slot's task and on nothing else

	Part  *Part // one that has this node; others are equal to it, or to its negation
	Value bool  // of Part in the slices of the node
}

// Operands iterates over the nodes that this one is computed from.
func (n *Node) Operands(yield func(*Node) bool) {
	for _, nodes := range [...][]*Node{n.Kids, n.Guards} {
		for _, k := range nodes {
			if !yield(k) {
				return
			}
		}
	}
}

// Holds reports whether a local node has a local state of its task, given the values of all local formulas there by
// number.
func (n *Node) Holds(locals []lsl.Truth) bool { return n.Part.Truth(locals) == lsl.TruthOf(n.Value) }
