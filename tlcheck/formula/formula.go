package formula

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Formula is the compiled formula of a property.
type Formula struct {
	Set      *Set           // that it is a member of
	Property *spec.Property // its property, with the formula as written
	TIVs     []string       // free task variables, in order
	Free     []int          // their slots
	Slots    int            // number of slots, including those of quantifiers
	Root     *Part
	Violated *Node   // the slices in which the formula is false
	Nodes    []*Node // Violated and its transitive operands, by number
}

// Set has formulas that are compiled together and share nodes.
//
// The first slots are those of the free task variables: for each formula in turn the ones that
// earlier formulas do not have, ordered by name. Each further slot is for quantifiers of one name
// with the same number of enclosing quantifiers of that name.
type Set struct {
	Logic    lsl.Logic
	Formulas []*Formula
	Names    []string     // of the task variables, by slot
	Locals   []spec.Local // by number, without repetitions
	Nodes    []*Node      // by number, operands first
}

// Compile compiles the formula of a property. The names of its functions must be resolved.
func Compile(prop *spec.Property, logic lsl.Logic) *Formula {
	return CompileSet([]*spec.Property{prop}, logic).Formulas[0]
}

// CompileSet compiles the formulas of properties together, in the order of the properties.
func CompileSet(props []*spec.Property, logic lsl.Logic) *Set {
	s := &Set{Logic: logic}
	c := newCompiler(s)
	for _, p := range props {
		f := &Formula{Set: s, Property: p, TIVs: spec.TIVs(p.Formula)}
		for _, tiv := range f.TIVs {
			f.Free = append(f.Free, c.freeSlot(tiv))
		}
		s.Formulas = append(s.Formulas, f)
	}
	for _, f := range s.Formulas {
		f.Root = c.resolve(f.Property.Formula)
		f.Violated = c.node(f.Root, false)
		f.Nodes = nodesBelow(f.Violated)
		f.Slots = f.slots()
	}
	return s
}

func (f *Formula) slots() int {
	bound := map[int]bool{}
	for _, x := range f.Nodes {
		if x.Kind == Exists {
			bound[x.Slot] = true
		}
	}
	return len(f.Free) + len(bound)
}

// nodesBelow returns the node and its transitive operands, by number. The time is linear in them,
// not in the set.
func nodesBelow(root *Node) []*Node {
	nodes, seen := []*Node{root}, map[*Node]bool{root: true}
	for i := 0; i < len(nodes); i++ { // the loop adds nodes
		for k := range nodes[i].Operands {
			if !seen[k] {
				seen[k] = true
				nodes = append(nodes, k)
			}
		}
	}
	stdslices.SortFunc(nodes, func(x, y *Node) int { return x.Number - y.Number })
	return nodes
}

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

// Part is an occurrence of a subformula in the formula of a property.
type Part struct {
	Source spec.Formula
	Kids   []*Part // the operands of Source
	Atom   int     // number of the local formula of a *spec.Atom
	Slot   int     // of the task variable of a *spec.Atom or *spec.Quant
	Conds  []Cond  // of a *spec.If
	Free   []int   // slots of the task variables that are free in Source, ascending
	Local  bool    // Source has only atoms of one task variable, and connectives

	logic lsl.Logic
	nodes [2]*Node // where the part is false, where it is true; nil if not needed
}

// Cond is a condition on the tasks of two slots: they are the same or, with Caller, Left created
// Right. Differ negates it.
type Cond struct {
	Left, Right    int
	Caller, Differ bool
}

// Node returns a node of the part, and the value of the part in the slices of the node. Negations
// have none.
func (p *Part) Node() (n *Node, value bool) {
	if p.nodes[1] != nil {
		return p.nodes[1], true
	}
	return p.nodes[0], false
}

// Truth returns the value of a local part in a local state, given the values of all local formulas
// by number.
func (p *Part) Truth(locals []lsl.Truth) lsl.Truth {
	switch f := p.Source.(type) {
	case *spec.Atom:
		return locals[p.Atom]
	case *spec.Not:
		return p.Kids[0].Truth(locals).Not()
	case *spec.Nary:
		return p.chain(p.Kids[0].Truth(locals), f.Op == spec.Or, locals)
	}
	return p.chain(p.Kids[0].Truth(locals).Not(), true, locals) // an implication
}

// chain continues a connective whose first operand is t.
func (p *Part) chain(t lsl.Truth, or bool, locals []lsl.Truth) lsl.Truth {
	for _, k := range p.Kids[1:] {
		if t == lsl.TruthOf(or) {
			return t
		}
		t = p.logic.Global(or, t, k.Truth(locals))
	}
	return t
}
