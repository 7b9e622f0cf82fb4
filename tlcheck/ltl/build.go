package ltl

import "github.com/antichain-go/antichain/tlcheck/temporal"

// builder makes the term of a formula.
type builder struct {
	*terms
	atoms map[string]int
}

func (b *builder) build(f *temporal.Formula) term {
	switch f.Op {
	case temporal.True:
		return termTrue
	case temporal.False:
		return termFalse
	case temporal.Atomic:
		return b.atom(b.atoms[f.Atom.Text])
	case temporal.And:
		return b.join(kindAnd, b.chain(f, temporal.And))
	case temporal.Or:
		return b.join(kindOr, b.chain(f, temporal.Or))
	}
	x := b.build(f.X)
	switch f.Op {
	case temporal.Not:
		return b.not(x)
	case temporal.Next:
		return b.next(kindNext, x)
	case temporal.WeakNext:
		return b.next(kindWeakNext, x)
	case temporal.Eventually:
		return b.until(kindUntil, termTrue, x)
	case temporal.Always:
		return b.until(kindRelease, termFalse, x)
	}
	y := b.build(f.Y)
	switch f.Op {
	case temporal.Implies:
		return b.join(kindOr, []term{b.not(x), y})
	case temporal.Iff:
		both := b.join(kindAnd, []term{x, y})
		neither := b.join(kindAnd, []term{b.not(x), b.not(y)})
		return b.join(kindOr, []term{both, neither})
	case temporal.Until:
		return b.until(kindUntil, x, y)
	case temporal.Release:
		return b.until(kindRelease, x, y)
	case temporal.WeakUntil:
		return b.until(kindRelease, y, b.join(kindOr, []term{x, y}))
	case temporal.StrongRelease:
		return b.until(kindUntil, y, b.join(kindAnd, []term{x, y}))
	}
	panic("ltl: " + f.Op.String() + " is no operator of LTL")
}

// chain returns the terms of the members of a chain of conjunctions or disjunctions, so that it is
// simplified once and not once for every member.
func (b *builder) chain(f *temporal.Formula, op temporal.Op) []term {
	if f.Op != op {
		return []term{b.build(f)}
	}
	return append(b.chain(f.X, op), b.build(f.Y))
}
