package formula

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Formula is the compiled formula of a property.
type Formula struct {
	Set      *Set           // of which it is a member
	Property *spec.Property // with its formula as written
	TIVs     []string       // the free task variables, in order
	Free     []int          // their slots
	Slots    int            // how many slots the formula uses, those of its quantifiers included
	Root     *Part
	Violated *Node   // where the formula is false
	Nodes    []*Node // this one and those below it, by number
}

// Set has formulas that are compiled together, and what they have in common.
//
// The first slots are those of the free task variables: for each formula in turn, those that the formulas before it do not
// have, in order of their names. Each further slot is for the quantifiers of one name that have equally many of that
// name around them.
type Set struct {
	Logic    lsl.Logic
	Formulas []*Formula
	Names    []string     // of the task variables, by slot
	Locals   []spec.Local // by number, none twice
	Nodes    []*Node      // by number, each behind those that it is computed from
}

// Compile compiles the formula of a property whose names of functions are resolved.
func Compile(prop *spec.Property, logic lsl.Logic) *Formula {
	return CompileSet([]*spec.Property{prop}, logic).Formulas[0]
}

// CompileSet compiles the formulas of properties together. The members of the set are in the order of the
// properties.
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

// slots returns how many slots the formula uses.
func (f *Formula) slots() int {
	bound := map[int]bool{}
	for _, x := range f.Nodes {
		if x.Kind == Exists {
			bound[x.Slot] = true
		}
	}
	return len(f.Free) + len(bound)
}

// below returns the node and those below it, by number. The time is that of their number, not that of the set's.
func below(root *Node) []*Node {
	nodes, seen := []*Node{root}, map[*Node]bool{root: true}
	for i := 0; i < len(nodes); i++ { // the list grows
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
