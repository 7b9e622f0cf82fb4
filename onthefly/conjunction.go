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

// conjunction joins first the parts of which new open intervals contain new local states: these are
// few at any time. An until of local formulas that is the only other part is guarded by them.
func (b *builder) conjunction(parts []part, in scope, top bool) *stage {
	parts, locals := unite(parts)
	if top && locals == len(parts) && 1 < locals && locals <= maxJoined {
		return b.conjunctionJoin(parts, in)
	}
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
		if isPresent(p, 1) {
			join(b.formula(p.formula, p.value, in, false))
		} else {
			others = append(others, p)
		}
	}
	if top && s != nil && len(others) == 1 {
		if u, ok := others[0].formula.(*spec.Binary); ok && b.simple(u, others[0].value) {
			return b.guarded(s, u, in)
		}
	}
	if top && s != nil && len(others) == 1 && locals == 1 && len(parts) == 2 && !b.initially {
		if x, ok := comesLater(others[0]); ok {
			return b.since(parts[0], x, in)
		}
	}
	for _, p := range others {
		join(b.formula(p.formula, p.value, in, false))
	}
	return s
}

// comesLater returns the operand of a part that says that a local formula is true, or false, in some later slice.
func comesLater(p part) (part, bool) {
	switch f := p.formula.(type) {
	case *spec.Not:
		return comesLater(part{f.X, !p.value})
	case *spec.Future:
		_, ok := localTo(f.X)
		return part{f.X, p.value}, ok && (f.Op == spec.Sometime && p.value || f.Op == spec.Always && !p.value)
	}
	return part{}, false
}

// since returns the stage of a local formula c, at the top, that is followed by x.
//
// All that matters then is of which tasks c was true before x, or at the same time. So of the rows of c the last is
// kept for each TIVA, and one for those that differ only in what neither x nor a condition speaks
// about; and of x, the last row of each task, as in together.
func (b *builder) since(c, x part, in scope) *stage {
	tiv, _ := localTo(x.formula)
	n := &both{}
	n.right.last = []int{in.slots[tiv]}
	n.left.last = n.right.last
	for _, c := range b.conds {
		n.left.last = append(n.left.last[:len(n.left.last):len(n.left.last)], c.left, c.right)
	}
	return b.stage(n, b.formula(c.formula, c.value, in, false),
		b.stage(sometime{}, b.formula(x.formula, x.value, in, false)))
}

// unite makes one part of those that are local to the same TIV. These come first; it returns how
// many there are.
func unite(parts []part) (united []part, locals int) {
	var others []part
	byTIV := map[string]*spec.Nary{}
	for _, p := range parts {
		tiv, ok := localTo(p.formula)
		if !ok {
			others = append(others, p)
			continue
		}
		f := p.formula
		if !p.value {
			f = &spec.Not{X: f}
		}
		if and := byTIV[tiv]; and != nil {
			and.Xs = append(and.Xs, f)
			continue
		}
		byTIV[tiv] = &spec.Nary{Op: spec.And, Xs: []spec.Formula{f}}
		united = append(united, part{byTIV[tiv], true})
	}
	for i := range united {
		if and := united[i].formula.(*spec.Nary); len(and.Xs) == 1 {
			united[i].formula = and.Xs[0]
		}
	}
	return append(united, others...), len(united)
}

// together returns the stage of local formulas of different TIVs.
func (b *builder) conjunctionJoin(parts []part, in scope) *stage {
	var slots []int
	var kids []*stage
	for _, p := range parts {
		tiv, _ := localTo(p.formula)
		slots = append(slots, in.slots[tiv])
		kids = append(kids, b.formula(p.formula, p.value, in, false))
	}
	return b.stage(newConjunctionJoin(slots, b.conds), kids...)
}

// isPresent reports whether a part is about local states up to so many steps ahead: where it
// is newly true is at most that many steps before something new.
func isPresent(p part, steps int) bool {
	if _, ok := localTo(p.formula); ok {
		return true
	}
	switch f := p.formula.(type) {
	case *spec.Not:
		return isPresent(part{f.X, !p.value}, steps)
	case *spec.Nary:
		for _, x := range f.Xs {
			if !isPresent(part{x, p.value}, steps) {
				return false
			}
		}
		return true
	case *spec.Implies:
		return isPresent(part{f.L, !p.value}, steps) && isPresent(part{f.R, p.value}, steps)
	case *spec.Future:
		left := steps - max(f.K, 1)
		return left >= 0 && (f.Op == spec.Next && p.value || f.Op == spec.AllNext && !p.value) && isPresent(part{f.X, p.value}, left)
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
