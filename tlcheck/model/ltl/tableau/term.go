package tableau

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

// term is a formula in negation normal form, node its contents, and kind its operator.
type (
	term = terms.Term
	node = terms.Node
	kind = terms.Kind
)

// simplifier makes simplified terms. Over infinite words both kinds of next are the same.
type simplifier struct{ *terms.Table }

// Make returns the simplified term of a kind over args.
func (t *simplifier) Make(k kind, args ...term) term {
	switch k {
	case terms.KindFalse:
		return terms.False
	case terms.KindTrue:
		return terms.True
	case terms.KindAnd, terms.KindOr:
		return t.join(k, args)
	case terms.KindNext, terms.KindWeakNext:
		return t.next(args[0])
	}
	return t.until(k, args[0], args[1])
}

func (t *simplifier) Iff(not bool, of func(not bool) term) term { return of(not) }

// next makes X x. It distributes over conjunctions, since terms closer to the atoms need no rule
// later (Sherman and Pnueli 1990, §6.1.1).
func (t *simplifier) next(x term) term {
	n := t.Nodes[x]
	switch n.Kind {
	case terms.KindFalse, terms.KindTrue:
		return x
	case terms.KindAnd:
		args := make([]term, len(n.Args))
		for i, y := range n.Args {
			args[i] = t.next(y)
		}
		return t.join(terms.KindAnd, args)
	}
	return t.Intern(node{Kind: terms.KindNext, Args: []term{x}})
}

// join makes the conjunction of args or, by duality, the disjunction. The comments are about
// conjunctions.
func (t *simplifier) join(k kind, args []term) term {
	zero, one := terms.False, terms.True
	if k == terms.KindOr {
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

// denied reports whether x is an atom whose negation is among the members.
func (t *simplifier) denied(x term, members []term) bool {
	n := t.Nodes[x]
	if n.Kind != terms.KindAtom {
		return false
	}
	_, found := slices.BinarySearch(members, t.Literal(n.Atom, true))
	return found
}

// until makes x U y or, by duality, x R y. The comments are about until.
func (t *simplifier) until(k kind, x, y term) term {
	zero, one, dual := terms.False, terms.True, terms.KindRelease
	if k == terms.KindRelease {
		zero, one, dual = one, zero, terms.KindUntil
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
