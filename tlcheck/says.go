package tlcheck

import (
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// speaker says in the notation of the language what nodes compute.
type speaker struct {
	names []string // of the TIVs, by slot
	said  map[*node]spec.Formula
}

// says returns a formula that is true exactly in the slices of the node. Formulas of
// nodes share those of the nodes below.
func (s *speaker) says(n *node) spec.Formula {
	f, ok := s.said[n]
	if !ok {
		if f = s.operator(n); n.not {
			f = &spec.Not{X: f}
		}
		s.said[n] = f
	}
	return f
}

func (s *speaker) operator(n *node) spec.Formula {
	switch n.kind {
	case kindAtom:
		atom := &spec.Atom{TIV: s.names[n.slot], Local: n.atom.local}
		if n.want == lsl.False {
			return &spec.Not{X: atom}
		}
		return atom
	case kindAnd, kindOr:
		return s.chain(n)
	case kindIf:
		f := &spec.If{X: s.says(n.kids[0])}
		for _, c := range n.conds {
			f.Conds = append(f.Conds, c.Cond)
		}
		return f
	case kindUntil:
		return &spec.Binary{Op: spec.Until, L: negation(s.says(n.kids[0])), R: s.says(n.kids[1])}
	case kindExists:
		return &spec.Quant{Op: spec.Exists, TIV: s.names[n.slot], X: s.says(n.kids[0])}
	}
	op := map[kind]spec.FutureOp{kindNext: spec.Next, kindBelow: spec.Sometime, kindReach: spec.Eventually}[n.kind]
	return &spec.Future{Op: op, K: n.k, X: s.says(n.kids[0])}
}

func (s *speaker) chain(n *node) spec.Formula {
	f := &spec.Nary{Op: spec.And}
	if n.kind == kindOr {
		f.Op = spec.Or
	}
	for _, k := range n.kids {
		f.Xs = append(f.Xs, s.says(k))
	}
	return f
}

// all returns the conjunction of what nodes say.
func (s *speaker) all(nodes []*node) spec.Formula {
	if len(nodes) == 1 {
		return s.says(nodes[0])
	}
	return s.chain(&node{kind: kindAnd, kids: nodes})
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
