package ltl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

// term is a formula in negation normal form, and node its contents.
type (
	term = terms.Term
	node = terms.Node[kind]
)

type kind uint8

const (
	kindFalse kind = iota
	kindTrue
	kindAtom      // atom
	kindNegated   // not atom
	kindAnd       // all args
	kindOr        // some of args
	kindNext      // strong; args[0]
	kindWeakNext  // args[0]
	kindRelease   // args[0] release args[1]
	kindUntil     // args[0] until args[1]
	kindAtTheLast // in the last state, args[0], which has no temporal operators
)

// simplifier makes simplified terms.
type simplifier struct {
	*terms.Table[kind]
	negations map[term]term // cached results of not
	finals    map[term]term // cached results of atLast
}

func newSimplifier() *simplifier {
	return &simplifier{Table: terms.NewTable[kind](), negations: map[term]term{}, finals: map[term]term{}}
}

func (t *simplifier) kind(x term) kind { return t.Nodes[x].Kind }

func (t *simplifier) literal(atom int, not bool) term {
	if not {
		return t.Intern(node{Kind: kindNegated, Atom: atom})
	}
	return t.Intern(node{Kind: kindAtom, Atom: atom})
}

// dual returns the kind by which negation replaces a kind.
func (k kind) dual() kind {
	switch k {
	case kindFalse:
		return kindTrue
	case kindTrue:
		return kindFalse
	case kindAtom:
		return kindNegated
	case kindNegated:
		return kindAtom
	case kindAnd:
		return kindOr
	case kindOr:
		return kindAnd
	case kindNext:
		return kindWeakNext
	case kindWeakNext:
		return kindNext
	case kindUntil:
		return kindRelease
	case kindRelease:
		return kindUntil
	}
	return k // "in the last state" is its own dual
}

// make returns the simplified term of a kind over args.
func (t *simplifier) make(k kind, args ...term) term {
	switch k {
	case kindFalse:
		return terms.False
	case kindTrue:
		return terms.True
	case kindAnd, kindOr:
		return t.join(k, args)
	case kindNext, kindWeakNext:
		return t.next(k, args[0])
	case kindUntil, kindRelease:
		return t.until(k, args[0], args[1])
	}
	return t.atTheLast(args[0])
}

// not returns the negation of x. Strong and weak next are dual: !X f is N !f.
func (t *simplifier) not(x term) term {
	if y, ok := t.negations[x]; ok {
		return y
	}
	n := t.Nodes[x]
	var y term
	if n.Kind == kindAtom || n.Kind == kindNegated {
		y = t.Intern(node{Kind: n.Kind.dual(), Atom: n.Atom})
	} else {
		args := make([]term, len(n.Args))
		for i, a := range n.Args {
			args[i] = t.not(a)
		}
		y = t.make(n.Kind.dual(), args...)
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
	case kindFalse, kindTrue, kindAtom, kindNegated:
		return x
	case kindNext:
		return terms.False
	case kindWeakNext:
		return terms.True
	case kindAtTheLast:
		return n.Args[0]
	}
	if y, ok := t.finals[x]; ok {
		return y
	}
	var y term
	switch n.Kind {
	case kindUntil, kindRelease:
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
	if k == kindNext && x == terms.False || k == kindWeakNext && x == terms.True {
		return x
	}
	return t.Intern(node{Kind: k, Args: []term{x}})
}

// atTheLast makes "in the last state x". x has no temporal operators.
func (t *simplifier) atTheLast(x term) term {
	if x == terms.False || x == terms.True {
		return x
	}
	return t.Intern(node{Kind: kindAtTheLast, Args: []term{x}})
}

// until makes x U y or, by duality, x R y. The comments are about until.
func (t *simplifier) until(k kind, x, y term) term {
	zero, one, or := terms.False, terms.True, kindOr
	if k == kindRelease {
		zero, one, or = one, zero, kindAnd
	}
	right := t.Nodes[y]
	switch {
	case y == zero, y == one, x == zero, x == y, right.Kind == kindAtTheLast:
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
	case right.Kind == k.dual() && right.Args[0] == zero: // FG z
		return t.atTheLast(final)
	case right.Kind == k: // F (x U z)
		return t.until(k, one, right.Args[1])
	}
	return t.Intern(node{Kind: k, Args: []term{one, y}})
}
