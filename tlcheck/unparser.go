package tlcheck

import (
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// unparser writes nodes as formulas of the language.
type unparser struct {
	set      *formula.Set
	formulas map[*formula.Node]spec.Formula
}

// formulaOf returns a formula that is true exactly in the slices of the node. Formulas of nodes
// share those of the nodes below.
func (u *unparser) formulaOf(n *formula.Node) spec.Formula {
	f, ok := u.formulas[n]
	if !ok {
		if f = u.operator(n); n.Complement {
			f = &spec.Not{X: f}
		}
		u.formulas[n] = f
	}
	return f
}

func (u *unparser) operator(n *formula.Node) spec.Formula {
	switch n.Kind {
	case formula.Atom:
		atom := &spec.Atom{TIV: u.set.Names[n.Slot], Local: u.set.Locals[n.Atom]}
		if n.Want == lsl.False {
			return &spec.Not{X: atom}
		}
		return atom
	case formula.And:
		return u.chain(spec.And, n.Kids)
	case formula.Or:
		return u.chain(spec.Or, n.Kids)
	case formula.If:
		f := &spec.If{X: u.formulaOf(n.Kids[0])}
		for _, c := range n.Conds {
			f.Conds = append(f.Conds, u.condition(c))
		}
		return f
	case formula.Until:
		return &spec.Binary{Op: spec.Until, L: negation(u.formulaOf(n.Kids[0])), R: u.formulaOf(n.Kids[1])}
	case formula.Exists:
		return &spec.Quant{Op: spec.Exists, TIV: u.set.Names[n.Slot], X: u.formulaOf(n.Kids[0])}
	}
	op := map[formula.Kind]spec.FutureOp{formula.Next: spec.Next, formula.Sometime: spec.Sometime,
		formula.Eventually: spec.Eventually}[n.Kind]
	return &spec.Future{Op: op, K: n.K, X: u.formulaOf(n.Kids[0])}
}

func (u *unparser) chain(op spec.NaryOp, nodes []*formula.Node) spec.Formula {
	f := &spec.Nary{Op: op}
	for _, n := range nodes {
		f.Xs = append(f.Xs, u.formulaOf(n))
	}
	return f
}

func (u *unparser) condition(c formula.Cond) spec.Cond {
	return spec.Cond{Left: u.set.Names[c.Left], Right: u.set.Names[c.Right], Caller: c.Caller, Differ: c.Differ}
}

// names returns the TIVs of slots.
func (u *unparser) names(slots []int) []string {
	var names []string
	for _, slot := range slots {
		names = append(names, u.set.Names[slot])
	}
	return names
}

// all returns the conjunction of the formulas of nodes.
func (u *unparser) all(nodes []*formula.Node) spec.Formula {
	if len(nodes) == 1 {
		return u.formulaOf(nodes[0])
	}
	return u.chain(spec.And, nodes)
}

// negation returns not f, with the negation pushed through connectives to the atoms.
func negation(f spec.Formula) spec.Formula {
	switch f := f.(type) {
	case *spec.Not:
		return f.X
	case *spec.Nary:
		dual := &spec.Nary{Op: spec.And}
		if f.Op == spec.And {
			dual.Op = spec.Or
		}
		for _, x := range f.Xs {
			dual.Xs = append(dual.Xs, negation(x))
		}
		return dual
	case *spec.If:
		return &spec.If{X: negation(f.X), Conds: f.Conds}
	}
	return &spec.Not{X: f}
}
