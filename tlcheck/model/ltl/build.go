package ltl

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// builder makes the terms of formulas. It pushes negations inwards itself instead of calling
// terms.not: a negated equivalence has two cases, but negating its term would make four.
type builder struct {
	*simplifier
	atoms map[string]int
	done  map[polar]term
}

// of returns the term of f, or of its negation. Equivalences use their operands twice, so results
// are cached.
func (b *builder) of(f *temporal.Formula, not bool) term {
	if x, ok := b.done[polar{f, not}]; ok {
		return x
	}
	x := b.build(f, not)
	b.done[polar{f, not}] = x
	return x
}

// put makes a term of a kind or, for a negation, of its dual. The operands are negated already.
func (b *builder) put(k kind, not bool, args ...term) term {
	if not {
		k = k.dual()
	}
	return b.make(k, args...)
}

func (b *builder) build(f *temporal.Formula, not bool) term {
	switch f.Op {
	case temporal.True:
		return b.put(kindTrue, not)
	case temporal.False:
		return b.put(kindFalse, not)
	case temporal.Atomic:
		return b.literal(b.atoms[f.Atom.Text], not)
	case temporal.Not:
		return b.of(f.X, !not)
	case temporal.And:
		return b.put(kindAnd, not, b.chain(f, temporal.And, not)...)
	case temporal.Or:
		return b.put(kindOr, not, b.chain(f, temporal.Or, not)...)
	case temporal.Implies:
		return b.put(kindOr, not, b.of(f.X, !not), b.of(f.Y, not))
	case temporal.Iff:
		return b.iff(f, not)
	case temporal.Next:
		return b.put(kindNext, not, b.of(f.X, not))
	case temporal.WeakNext:
		return b.put(kindWeakNext, not, b.of(f.X, not))
	case temporal.Eventually:
		return b.put(kindUntil, not, b.put(kindTrue, not), b.of(f.X, not))
	case temporal.Always:
		return b.put(kindRelease, not, b.put(kindFalse, not), b.of(f.X, not))
	case temporal.Until:
		return b.put(kindUntil, not, b.of(f.X, not), b.of(f.Y, not))
	case temporal.Release:
		return b.put(kindRelease, not, b.of(f.X, not), b.of(f.Y, not))
	case temporal.WeakUntil: // g R (f | g)
		return b.put(kindRelease, not, b.of(f.Y, not), b.put(kindOr, not, b.of(f.X, not), b.of(f.Y, not)))
	case temporal.StrongRelease: // g U (f & g)
		return b.put(kindUntil, not, b.of(f.Y, not), b.put(kindAnd, not, b.of(f.X, not), b.of(f.Y, not)))
	}
	panic("ltl: " + f.Op.String() + " is no operator of LTL")
}

// iff makes f & g | !f & !g, or for its negation f & !g | !f & g. It records that each is the
// negation of the other, which their forms do not show.
func (b *builder) iff(f *temporal.Formula, not bool) term {
	var both [2]term // f, and its negation
	for i, negated := range []bool{false, true} {
		one := b.join(kindAnd, []term{b.of(f.X, false), b.of(f.Y, negated)})
		other := b.join(kindAnd, []term{b.of(f.X, true), b.of(f.Y, !negated)})
		both[i] = b.join(kindOr, []term{one, other})
	}
	x, y := both[0], both[1]
	_, known := b.negations[x]
	_, other := b.negations[y]
	if b.kind(x) == kindOr && b.kind(y) == kindOr && !known && !other {
		b.negations[x], b.negations[y] = y, x
	}
	if not {
		return y
	}
	return x
}

// chain returns the terms of all members of a chain of conjunctions or disjunctions, or of their
// negations. That way the chain is simplified once and not for every member.
func (b *builder) chain(f *temporal.Formula, op temporal.Op, not bool) []term {
	if f.Op != op {
		return []term{b.of(f, not)}
	}
	return append(b.chain(f.X, op, not), b.of(f.Y, not))
}
