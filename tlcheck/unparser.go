package tlcheck

import (
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// unparser writes nodes as formulas of the language.
type unparser struct {
	names    []string // of the TIVs, by slot
	formulas map[*node]spec.Formula
}

// formulaOf returns a formula that is true exactly in the slices of the node. Formulas of
// nodes share those of the nodes below.
func (u *unparser) formulaOf(n *node) spec.Formula {
	f, ok := u.formulas[n]
	if !ok {
		if f = u.operator(n); n.not {
			f = &spec.Not{X: f}
		}
		u.formulas[n] = f
	}
	return f
}

func (u *unparser) operator(n *node) spec.Formula {
	switch n.kind {
	case kindAtom:
		atom := &spec.Atom{TIV: u.names[n.slot], Local: n.atom.local}
		if n.want == lsl.False {
			return &spec.Not{X: atom}
		}
		return atom
	case kindAnd, kindOr:
		return u.chain(n)
	case kindIf:
		f := &spec.If{X: u.formulaOf(n.kids[0])}
		for _, c := range n.conds {
			f.Conds = append(f.Conds, c.Cond)
		}
		return f
	case kindUntil:
		return &spec.Binary{Op: spec.Until, L: negation(u.formulaOf(n.kids[0])), R: u.formulaOf(n.kids[1])}
	case kindExists:
		return &spec.Quant{Op: spec.Exists, TIV: u.names[n.slot], X: u.formulaOf(n.kids[0])}
	}
	op := map[kind]spec.FutureOp{kindNext: spec.Next, kindBelow: spec.Sometime, kindReach: spec.Eventually}[n.kind]
	return &spec.Future{Op: op, K: n.k, X: u.formulaOf(n.kids[0])}
}

func (u *unparser) chain(n *node) spec.Formula {
	f := &spec.Nary{Op: spec.And}
	if n.kind == kindOr {
		f.Op = spec.Or
	}
	for _, k := range n.kids {
		f.Xs = append(f.Xs, u.formulaOf(k))
	}
	return f
}

// all returns the conjunction of the formulas of nodes.
func (u *unparser) all(nodes []*node) spec.Formula {
	if len(nodes) == 1 {
		return u.formulaOf(nodes[0])
	}
	return u.chain(&node{kind: kindAnd, kids: nodes})
}

// negation returns not f, with the negation at the atoms as far as connectives go.
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
