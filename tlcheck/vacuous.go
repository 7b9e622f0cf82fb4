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
