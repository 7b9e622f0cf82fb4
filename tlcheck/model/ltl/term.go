package ltl

import (
	"encoding/binary"
	"slices"
)

// term is a formula in negation normal form, as an index into terms.
type term int32

// The terms that are always there.
const (
	termFalse term = iota
	termTrue
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

// node is what a term stands for.
type node struct {
	kind kind
	atom int    // of an atom, negated or not
	args []term // of and and or: at least two, ascending
}

// terms holds terms so that equal ones are the same, and simplifies them as they are made.
type terms struct {
	nodes  []node
	index  map[string]term // by the bytes of key
	negs   map[term]term   // the negations that were made
	finals map[term]term   // the results of atLast
	key    []byte          // reused
}

func newTerms() *terms {
	t := &terms{index: map[string]term{}, negs: map[term]term{}, finals: map[term]term{}}
	t.intern(node{kind: kindFalse})
	t.intern(node{kind: kindTrue})
	return t
}

func (t *terms) intern(n node) term {
	key := append(t.key[:0], byte(n.kind))
	key = binary.AppendUvarint(key, uint64(n.atom))
	for _, x := range n.args {
		key = binary.AppendUvarint(key, uint64(x))
	}
	t.key = key
	if x, ok := t.index[string(key)]; ok {
		return x
	}
	x := term(len(t.nodes))
	t.nodes = append(t.nodes, n)
	t.index[string(key)] = x
	return x
}

func (t *terms) kind(x term) kind { return t.nodes[x].kind }

// literal returns an atom, or its negation.
func (t *terms) literal(atom int, not bool) term {
	if not {
		return t.intern(node{kind: kindNegated, atom: atom})
	}
	return t.intern(node{kind: kindAtom, atom: atom})
}

// dual returns the kind that negation makes of a kind.
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

// make returns the term of a kind over args, simplified.
func (t *terms) make(k kind, args ...term) term {
	switch k {
	case kindFalse:
		return termFalse
	case kindTrue:
		return termTrue
	case kindAnd, kindOr:
		return t.join(k, args)
	case kindNext, kindWeakNext:
		return t.next(k, args[0])
	case kindUntil, kindRelease:
		return t.until(k, args[0], args[1])
	}
	return t.atTheLast(args[0])
}

// not returns the negation of x. Strong and weak next change places: !X f is N !f.
func (t *terms) not(x term) term {
	if y, ok := t.negs[x]; ok {
		return y
	}
	n := t.nodes[x]
	var y term
	if n.kind == kindAtom || n.kind == kindNegated {
		y = t.intern(node{kind: n.kind.dual(), atom: n.atom})
	} else {
		args := make([]term, len(n.args))
		for i, a := range n.args {
			args[i] = t.not(a)
		}
		y = t.make(n.kind.dual(), args...)
	}
	t.negs[x] = y
	if _, ok := t.negs[y]; !ok {
		t.negs[y] = x
	}
	return y
}

// atLast returns what x says in the last state, without temporal operators.
func (t *terms) atLast(x term) term {
	n := t.nodes[x]
	switch n.kind {
	case kindFalse, kindTrue, kindAtom, kindNegated:
		return x
	case kindNext:
		return termFalse
	case kindWeakNext:
		return termTrue
	case kindAtTheLast:
		return n.args[0]
	}
	if y, ok := t.finals[x]; ok {
		return y
	}
	var y term
	switch n.kind {
	case kindUntil, kindRelease:
		y = t.atLast(n.args[1])
	default:
		args := make([]term, len(n.args))
		for i, a := range n.args {
			args[i] = t.atLast(a)
		}
		y = t.join(n.kind, args)
	}
	t.finals[x] = y
	return y
}

// next makes X x or N x.
func (t *terms) next(k kind, x term) term {
	if k == kindNext && x == termFalse || k == kindWeakNext && x == termTrue {
		return x
	}
	return t.intern(node{kind: k, args: []term{x}})
}

// atTheLast makes "in the last state x" of an x without temporal operators.
func (t *terms) atTheLast(x term) term {
	if x == termFalse || x == termTrue {
		return x
	}
	return t.intern(node{kind: kindAtTheLast, args: []term{x}})
}

// until makes x U y or, by duality, x R y. The comments speak of until.
func (t *terms) until(k kind, x, y term) term {
	zero, one, or := termFalse, termTrue, kindOr
	if k == kindRelease {
		zero, one, or = one, zero, kindAnd
	}
	right := t.nodes[y]
	switch {
	case y == zero, y == one, x == zero, x == y, right.kind == kindAtTheLast:
		return y
	case right.kind == or && slices.Contains(right.args, x): // x U (x | z)
		return y
	case right.kind == k && (right.args[0] == x || right.args[0] == one): // x U (x U z), x U F z
		return y
	}
	if x != one && t.not(x) == y { // !y U y
		x = one
	}
	if x != one {
		return t.intern(node{kind: k, args: []term{x, y}})
	}
	final := t.atLast(y)
	switch {
	case final == one: // F y, where y is true in the last state
		return one
	case right.kind == k.dual() && right.args[0] == zero: // FG z
		return t.atTheLast(final)
	case right.kind == k: // F (x U z)
		return t.until(k, one, right.args[1])
	}
	return t.intern(node{kind: k, args: []term{one, y}})
}
