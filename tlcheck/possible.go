package tlcheck

import (
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// possibilities bounds the values that formulas can have in any run, given the possible values of
// their atoms.
type possibilities struct {
	logic lsl.Logic
	atom  func(*spec.Atom) lsl.Truths
	tiv   string // the TIV of atom; a quantifier that binds it hides it. "" is none
}

func (p *possibilities) of(f spec.Formula) lsl.Truths {
	switch f := f.(type) {
	case *spec.Atom:
		return p.atom(f)
	case *spec.Not:
		return p.of(f.X).Not()
	case *spec.Nary:
		return p.chain(f)
	case *spec.Implies:
		return p.of(f.L).Not().Combine(p.of(f.R), p.connective(true))
	case *spec.If:
		return p.of(f.X).With(lsl.Undefined)
	case *spec.Quant:
		hidden := p.tiv != "" && f.TIV == p.tiv
		return decided(hidden, p.of(f.X), f.Op == spec.Exists)
	case *spec.Future:
		return decided(false, p.of(f.X), !f.Op.Universal())
	}
	b := f.(*spec.Binary)
	until := decided(false, p.of(b.R), true) // at most where q is true somewhere
	if b.Op == spec.Before {
		return until.Not()
	}
	return until
}

// decided returns the possible values of an operator that is never undefined: it has the value
// decisive if its operand has that value somewhere, else the opposite. anything says that both are
// possible regardless.
func decided(anything bool, operand lsl.Truths, decisive bool) lsl.Truths {
	all := lsl.Only(lsl.TruthOf(!decisive))
	if anything || operand.Has(lsl.TruthOf(decisive)) {
		all = all.With(lsl.TruthOf(decisive))
	}
	return all
}

func (p *possibilities) chain(f *spec.Nary) lsl.Truths {
	all := p.of(f.Xs[0])
	for _, x := range f.Xs[1:] {
		all = all.Combine(p.of(x), p.connective(f.Op == spec.Or))
	}
	return all
}

// connective returns "or", else "and".
func (p *possibilities) connective(or bool) func(t, u lsl.Truth) lsl.Truth {
	return func(t, u lsl.Truth) lsl.Truth { return p.logic.Global(or, t, u) }
}
