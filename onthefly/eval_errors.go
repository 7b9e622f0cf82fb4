package onthefly

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// EvalErrors returns the evaluation errors so far. A local formula that several properties share is
// evaluated once, at its positions in the first of them.
func (c *Checker) EvalErrors() []lsl.EvalError {
	var all []lsl.EvalError
	for _, l := range c.locals {
		all = append(all, l.log.EvalErrors()...)
	}
	return all
}

// abandonedReason returns why some evaluation was abandoned, or "".
func (c *Checker) abandonedReason() (reason string) {
	for _, l := range c.locals {
		reason = cmp.Or(reason, l.log.GaveUp())
	}
	return reason
}

// evalErrors returns the evaluation errors of a property. Their positions are those in this
// property, even where another one shares the local formula.
func (c *Checker) evalErrors(r *root) []lsl.EvalError {
	atoms := map[int]*spec.Atom{}
	firstAtoms(r.formula.Root, atoms)
	var own []lsl.EvalError
	for number, atom := range atoms {
		errs := c.locals[number].log.EvalErrors()
		if len(errs) == 0 {
			continue
		}
		positions := map[spec.Pos]spec.Pos{}
		there := spec.Exprs(atom.Local)
		for i, e := range spec.Exprs(r.formula.Set.Locals[number]) {
			positions[e.Position()] = there[i].Position()
		}
		for _, e := range errs {
			e.Pos = positions[e.Pos]
			own = append(own, e)
		}
	}
	slices.SortFunc(own, func(a, b lsl.EvalError) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return own
}

// firstAtoms records the first occurrence of each local formula in a part, by the formula's number.
func firstAtoms(p *formula.Part, atoms map[int]*spec.Atom) {
	if atom, ok := p.Source.(*spec.Atom); ok && atoms[p.Atom] == nil {
		atoms[p.Atom] = atom
	}
	for _, k := range p.Kids {
		firstAtoms(k, atoms)
	}
}
