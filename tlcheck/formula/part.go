package formula

import (
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

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
