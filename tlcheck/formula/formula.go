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
		f.Nodes = below(f.Violated)
		f.Slots = f.slots()
	}
	return s
}

// slots returns the number of slots of the formula.
func (f *Formula) slots() int {
	bound := map[int]bool{}
	for _, x := range f.Nodes {
		if x.Kind == Exists {
			bound[x.Slot] = true
		}
	}
	return len(f.Free) + len(bound)
}

// below returns the node and its transitive operands, by number. The time is linear in them, not in
// the set.
func below(root *Node) []*Node {
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
