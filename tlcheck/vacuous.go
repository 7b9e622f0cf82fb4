package tlcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Vacuous says why a property cannot be false in a run; "" if it can. Some of its expressions are
// neither true nor false in any local state of the run. With these undefined, the property is false
// in no slice, whatever the values of its other expressions and predicates. The local formulas, by
// number, must have been evaluated in all local states.
func Vacuous(f *formula.Formula, local func(number int) *lsl.Formula) string {
	numbers := map[*spec.Atom]int{}
	var undecided []lsl.Undecided
	for _, number := range numberAtoms(f.Root, numbers, nil) {
		undecided = append(undecided, local(number).Undecided()...)
	}
	if len(undecided) == 0 {
		return ""
	}
	p := possibilities{logic: f.Set.Logic, atom: func(a *spec.Atom) lsl.Truths {
		return local(numbers[a]).Possible().With(lsl.Undefined) // the task may not be created
	}}
	if p.of(f.Property.Formula).Has(lsl.False) {
		return ""
	}
	p.atom = func(*spec.Atom) lsl.Truths { return lsl.AnyTruth }
	if !p.of(f.Property.Formula).Has(lsl.False) {
		return "" // it can be false in no run
	}
	all := make([]string, len(undecided))
	for i, u := range undecided {
		all[i] = fmt.Sprintf("%s is neither true nor false in any local state (%s)", u.Expr, u.Why)
	}
	return strings.Join(all, ", ")
}

// numberAtoms records the numbers of the local formulas below a part and appends them to all, each
// once, in the order of the text.
func numberAtoms(p *formula.Part, numbers map[*spec.Atom]int, all []int) []int {
	if a, ok := p.Source.(*spec.Atom); ok {
		numbers[a] = p.Atom
		if !slices.Contains(all, p.Atom) {
			all = append(all, p.Atom)
		}
	}
	for _, k := range p.Kids {
		all = numberAtoms(k, numbers, all)
	}
	return all
}

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
		return possibleValues(hidden, p.of(f.X), f.Op == spec.Exists)
	case *spec.Future:
		return possibleValues(false, p.of(f.X), !f.Op.Universal())
	}
	b := f.(*spec.Binary)
	until := possibleValues(false, p.of(b.R), true) // at most where q is true somewhere
	if b.Op == spec.Before {
		return until.Not()
	}
	return until
}

// possibleValues returns the possible values of an operator that is never undefined: it has the
// value decisive if its operand has that value somewhere, else the opposite. anything says that
// both are possible regardless.
func possibleValues(anything bool, operand lsl.Truths, decisive bool) lsl.Truths {
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

func (p *possibilities) connective(or bool) func(t, u lsl.Truth) lsl.Truth {
	return func(t, u lsl.Truth) lsl.Truth { return p.logic.Global(or, t, u) }
}
