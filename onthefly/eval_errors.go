package onthefly

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// evalErrors returns those of the errors that are about expressions of the property, at their positions in it. A local
// formula that several properties have is evaluated once, at its positions in the first of them.
func (r *root) evalErrors(all []lsl.EvalError) []lsl.EvalError {
	if len(all) == 0 {
		return nil
	}
	positions := map[exprKey]spec.Pos{}
	r.addPositions(r.formula.Root, positions)
	var own []lsl.EvalError
	for _, e := range all {
		if pos, ok := positions[exprKey{e.Pos, e.Expr}]; ok {
			e.Pos = pos
			own = append(own, e)
		}
	}
	slices.SortStableFunc(own, func(a, b lsl.EvalError) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return own
}

// exprKey is an expression and where it is evaluated, as an EvalError names it.
type exprKey struct {
	pos  spec.Pos
	text string
}

// addPositions notes where the expressions of a part stand in the property.
func (r *root) addPositions(p *formula.Part, positions map[exprKey]spec.Pos) {
	if atom, ok := p.Source.(*spec.Atom); ok {
		own := spec.Exprs(atom.Local)
		for i, e := range spec.Exprs(r.formula.Set.Locals[p.Atom]) {
			at := exprKey{e.Position(), spec.FormatExpr(e)}
			if _, ok := positions[at]; !ok {
				positions[at] = own[i].Position()
			}
		}
	}
	for _, k := range p.Kids {
		r.addPositions(k, positions)
	}
}
