package onthefly

import "github.com/antichain-go/antichain/tlcheck/spec"

// part is a formula that must be true, or false.
type part struct {
	formula spec.Formula
	value   bool
}

// flatten adds what a part is a conjunction of.
func flatten(parts []part, p part) []part {
	switch f := p.formula.(type) {
	case *spec.Not:
		return flatten(parts, part{f.X, !p.value})
	case *spec.Nary:
		if (f.Op == spec.And) == p.value {
			for _, x := range f.Xs {
				parts = flatten(parts, part{x, p.value})
			}
			return parts
		}
	case *spec.Implies:
		if !p.value {
			return flatten(flatten(parts, part{f.L, true}), part{f.R, false})
		}
	}
	return append(parts, p)
}

// conjunction joins first the parts of which new pieces contain new local states: these are
// few at any time. An until of local formulas that is the only other part is guarded by them.
func (b *builder) conjunction(parts []part, in scope, top bool) *stage {
	var s *stage
	join := func(k *stage) {
		if s == nil {
			s = k
			return
		}
		s = b.stage(&both{}, s, k)
	}
	var others []part
	for _, p := range parts {
		if isPresent(p) {
			join(b.formula(p.formula, p.value, in, false))
		} else {
			others = append(others, p)
		}
	}
	if top && s != nil && len(others) == 1 {
		if u, ok := others[0].formula.(*spec.Binary); ok && b.simple(u, others[0].value) {
			p, q, bad, goal := b.operands(u, in)
			return b.stage(&guarded{ways: newWays(p, q)}, s, bad, goal)
		}
	}
	for _, p := range others {
		join(b.formula(p.formula, p.value, in, false))
	}
	return s
}

// isPresent reports whether a part is about local states and steps up to one: where it
// is newly true is at most that many steps before something new.
func isPresent(p part) bool {
	if _, ok := localTo(p.formula); ok {
		return true
	}
	switch f := p.formula.(type) {
	case *spec.Not:
		return isPresent(part{f.X, !p.value})
	case *spec.Nary:
		for _, x := range f.Xs {
			if !isPresent(part{x, p.value}) {
				return false
			}
		}
		return true
	case *spec.Implies:
		return isPresent(part{f.L, !p.value}) && isPresent(part{f.R, p.value})
	case *spec.Future:
		return (f.Op == spec.Next && p.value || f.Op == spec.AllNext && !p.value) && isPresent(part{f.X, p.value})
	}
	return false
}

// atoms calls do for every atom of the formula.
func atoms(f spec.Formula, do func(*spec.Atom)) {
	if a, ok := f.(*spec.Atom); ok {
		do(a)
	}
	for _, x := range spec.Operands(f) {
		atoms(x, do)
	}
}
