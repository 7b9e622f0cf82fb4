package tableau

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// term is a formula in negation normal form, and node its contents. The number of an atom is twice
// its index, and that of its negation one more.
type (
	term = terms.Term
	node = terms.Node[kind]
)

type kind uint8

const (
	kindFalse kind = iota
	kindTrue
	kindLiteral // an atom, or its negation
	kindAnd     // all args
	kindOr      // some of args
	kindNext    // args[0] in the next state
	kindUntil   // args[0] until args[1]
	kindRelease // args[0] releases args[1]
)

// simplifier makes simplified terms.
type simplifier struct{ *terms.Table[kind] }

func newSimplifier() *simplifier { return &simplifier{terms.NewTable[kind]()} }

func (t *simplifier) literal(i int) term { return t.Intern(node{Kind: kindLiteral, Atom: i}) }

// next makes X x. It distributes over conjunctions, since terms closer to the atoms need no rule
// later (Sherman and Pnueli 1990, §6.1.1).
func (t *simplifier) next(x term) term {
	n := t.Nodes[x]
	switch n.Kind {
	case kindFalse, kindTrue:
		return x
	case kindAnd:
		args := make([]term, len(n.Args))
		for i, y := range n.Args {
			args[i] = t.next(y)
		}
		return t.join(kindAnd, args)
	}
	return t.Intern(node{Kind: kindNext, Args: []term{x}})
}

// join makes the conjunction of args or, by duality, the disjunction. The comments are about
// conjunctions.
func (t *simplifier) join(k kind, args []term) term {
	zero, one := terms.False, terms.True
	if k == kindOr {
		zero, one = one, zero
	}
	members := slices.DeleteFunc(t.Members(k, args), func(x term) bool { return x == one })
	for _, x := range members {
		if x == zero || t.denied(x, members) {
			return zero
		}
	}
	return t.Of(k, members, one)
}

func (t *simplifier) denied(x term, members []term) bool {
	n := t.Nodes[x]
	if n.Kind != kindLiteral || n.Atom%2 == 1 {
		return false
	}
	_, found := slices.BinarySearch(members, t.literal(n.Atom^1))
	return found
}

// until makes x U y or, by duality, x R y. The comments are about until.
func (t *simplifier) until(k kind, x, y term) term {
	zero, one, dual := terms.False, terms.True, kindRelease
	if k == kindRelease {
		zero, one, dual = one, zero, kindUntil
	}
	right := t.Nodes[y]
	switch {
	case y == zero, y == one, x == zero, x == y:
		return y
	case right.Kind == k && (right.Args[0] == x || right.Args[0] == one): // x U (x U z), x U F z
		return y
	case x != one:
	case right.Kind == k: // F (x U z)
		return t.until(k, one, right.Args[1])
	case right.Kind == dual && right.Args[0] == zero && t.Nodes[right.Args[1]].Kind == k &&
		t.Nodes[right.Args[1]].Args[0] == one:
		// F G F z
		return y
	}
	return t.Intern(node{Kind: k, Args: []term{x, y}})
}

type builder struct {
	*simplifier
	atoms map[string]int
	done  map[polar]term // equivalences use their operands twice, so results are cached
}

type polar struct {
	f       *temporal.Formula
	negated bool
}

func (b *builder) build(f *temporal.Formula, not bool) term {
	x, ok := b.done[polar{f, not}]
	if !ok {
		x = b.make(f, not)
		b.done[polar{f, not}] = x
	}
	return x
}

// dual returns k, or its dual if negated.
func (k kind) dual(not bool) kind {
	if not {
		switch k {
		case kindAnd:
			return kindOr
		case kindOr:
			return kindAnd
		case kindUntil:
			return kindRelease
		case kindRelease:
			return kindUntil
		}
	}
	return k
}

// constant returns true or false.
func constant(value bool) term {
	if value {
		return terms.True
	}
	return terms.False
}

func (b *builder) make(f *temporal.Formula, not bool) term {
	switch f.Op {
	case temporal.True, temporal.False:
		return constant((f.Op == temporal.True) != not)
	case temporal.Atomic:
		i := 2 * b.atoms[f.Atom.Text]
		if not {
			i++
		}
		return b.literal(i)
	case temporal.And:
		return b.join(kindAnd.dual(not), b.chain(nil, f, temporal.And, not))
	case temporal.Or:
		return b.join(kindOr.dual(not), b.chain(nil, f, temporal.Or, not))
	case temporal.Implies:
		return b.join(kindOr.dual(not), []term{b.build(f.X, !not), b.build(f.Y, not)})
	case temporal.Iff:
		both := b.join(kindAnd, []term{b.build(f.X, false), b.build(f.Y, not)})
		neither := b.join(kindAnd, []term{b.build(f.X, true), b.build(f.Y, !not)})
		return b.join(kindOr, []term{both, neither})
	case temporal.Not:
		return b.build(f.X, !not)
	case temporal.Next:
		return b.next(b.build(f.X, not))
	}
	return b.path(f, not)
}

// path makes the term of a path operator.
func (b *builder) path(f *temporal.Formula, not bool) term {
	until, release := kindUntil.dual(not), kindRelease.dual(not)
	x := b.build(f.X, not)
	switch f.Op {
	case temporal.Eventually:
		return b.until(until, constant(!not), x)
	case temporal.Always:
		return b.until(release, constant(not), x)
	}
	y := b.build(f.Y, not)
	switch f.Op {
	case temporal.Until:
		return b.until(until, x, y)
	case temporal.Release:
		return b.until(release, x, y)
	case temporal.WeakUntil: // y R (x | y)
		return b.until(release, y, b.join(kindOr.dual(not), []term{x, y}))
	case temporal.StrongRelease: // y U (x & y)
		return b.until(until, y, b.join(kindAnd.dual(not), []term{x, y}))
	}
	panic("tableau: " + f.Op.String() + " is no operator of LTL over infinite words")
}

// chain appends the terms of all members of a chain of conjunctions or disjunctions. That way the
// chain is joined once and not for every member.
func (b *builder) chain(dst []term, f *temporal.Formula, op temporal.Op, not bool) []term {
	if f.Op != op {
		return append(dst, b.build(f, not))
	}
	return append(b.chain(dst, f.X, op, not), b.build(f.Y, not))
}
