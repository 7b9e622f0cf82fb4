package ltl

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

// simplifier makes simplified terms.
type simplifier struct {
	*terms.Table
	negations map[term]term // cached results of not
	finals    map[term]term // cached results of atLast
}

func newSimplifier() *simplifier {
	return &simplifier{Table: terms.NewTable(), negations: map[term]term{}, finals: map[term]term{}}
}

func (t *simplifier) kind(x term) kind { return t.Nodes[x].Kind }

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
		return t.next(k, args[0])
	case terms.KindUntil, terms.KindRelease:
		return t.until(k, args[0], args[1])
	}
	return t.atTheLast(args[0])
}

// Iff records that an equivalence and its negation are the negations of each other, which their
// forms do not show.
func (t *simplifier) Iff(not bool, of func(not bool) term) term {
	x, y := of(false), of(true)
	_, known := t.negations[x]
	_, other := t.negations[y]
	if t.kind(x) == terms.KindOr && t.kind(y) == terms.KindOr && !known && !other {
		t.negations[x], t.negations[y] = y, x
	}
	if not {
		return y
	}
	return x
}

// not returns the negation of x. Strong and weak next are dual: !X f is N !f.
func (t *simplifier) not(x term) term {
	if y, ok := t.negations[x]; ok {
		return y
	}
	n := t.Nodes[x]
	var y term
	if n.Kind == terms.KindAtom || n.Kind == terms.KindNegated {
		y = t.Intern(node{Kind: n.Kind.Dual(), Atom: n.Atom})
	} else {
		args := make([]term, len(n.Args))
		for i, a := range n.Args {
			args[i] = t.not(a)
		}
		y = t.Make(n.Kind.Dual(), args...)
	}
	t.negations[x] = y
	if _, ok := t.negations[y]; !ok {
		t.negations[y] = x
	}
	return y
}

// atLast returns the value of x in the last state, as a term without temporal operators.
func (t *simplifier) atLast(x term) term {
	n := t.Nodes[x]
	switch n.Kind {
	case terms.KindFalse, terms.KindTrue, terms.KindAtom, terms.KindNegated:
		return x
	case terms.KindNext:
		return terms.False
	case terms.KindWeakNext:
		return terms.True
	case terms.KindAtTheLast:
		return n.Args[0]
	}
	if y, ok := t.finals[x]; ok {
		return y
	}
	var y term
	switch n.Kind {
	case terms.KindUntil, terms.KindRelease:
		y = t.atLast(n.Args[1])
	default:
		args := make([]term, len(n.Args))
		for i, a := range n.Args {
			args[i] = t.atLast(a)
		}
		y = t.join(n.Kind, args)
	}
	t.finals[x] = y
	return y
}

func (t *simplifier) next(k kind, x term) term {
	if k == terms.KindNext && x == terms.False || k == terms.KindWeakNext && x == terms.True {
		return x
	}
	return t.Intern(node{Kind: k, Args: []term{x}})
}

// atTheLast makes "in the last state x". x has no temporal operators.
func (t *simplifier) atTheLast(x term) term {
	if x == terms.False || x == terms.True {
		return x
	}
	return t.Intern(node{Kind: terms.KindAtTheLast, Args: []term{x}})
}

// until makes x U y or, by duality, x R y. The comments are about until.
func (t *simplifier) until(k kind, x, y term) term {
	zero, one, or := terms.False, terms.True, terms.KindOr
	if k == terms.KindRelease {
		zero, one, or = one, zero, terms.KindAnd
	}
	right := t.Nodes[y]
	switch {
	case y == zero, y == one, x == zero, x == y, right.Kind == terms.KindAtTheLast:
		return y
	case right.Kind == or && slices.Contains(right.Args, x): // x U (x | z)
		return y
	case right.Kind == k && (right.Args[0] == x || right.Args[0] == one): // x U (x U z), x U F z
		return y
	}
	if x != one && t.not(x) == y { // !y U y
		x = one
	}
	if x != one {
		return t.Intern(node{Kind: k, Args: []term{x, y}})
	}
	final := t.atLast(y)
	switch {
	case final == one: // F y, where y is true in the last state
		return one
	case right.Kind == k.Dual() && right.Args[0] == zero: // FG z
		return t.atTheLast(final)
	case right.Kind == k: // F (x U z)
		return t.until(k, one, right.Args[1])
	}
	return t.Intern(node{Kind: k, Args: []term{one, y}})
}
