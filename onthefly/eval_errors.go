package onthefly

import (
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
	positions := map[evaluated]spec.Pos{}
	r.addPositions(r.formula.Root, positions)
	var own []lsl.EvalError
	for _, e := range all {
		if pos, ok := positions[evaluated{e.Pos, e.Expr}]; ok {
			e.Pos = pos
			own = append(own, e)
		}
	}
	return own
}

// evaluated is an expression where it is evaluated, as an EvalError names it.
type evaluated struct {
	pos  spec.Pos
	text string
}

// addPositions notes where the expressions of a part stand in the property.
func (r *root) addPositions(p *formula.Part, positions map[evaluated]spec.Pos) {
	if atom, ok := p.Source.(*spec.Atom); ok {
		own := spec.Exprs(atom.Local)
		for i, e := range spec.Exprs(r.formula.Set.Locals[p.Atom]) {
			at := evaluated{e.Position(), spec.FormatExpr(e)}
			if _, ok := positions[at]; !ok {
				positions[at] = own[i].Position()
			}
		}
	}
	for _, k := range p.Kids {
		r.addPositions(k, positions)
	}
}
