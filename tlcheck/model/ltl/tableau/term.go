package tableau

import (
	"encoding/binary"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// term is a formula in negation normal form, as an index into terms. Equal formulas are the same term.
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
	kindLiteral // an atom, or its negation
	kindAnd     // all args
	kindOr      // some of args
	kindNext    // args[0] in the next state
	kindUntil   // args[0] until args[1]
	kindRelease // args[0] releases args[1]
)

// node is what a term stands for.
type node struct {
	kind    kind
	literal int    // of an atom twice its number, and of its negation one more
	args    []term // of and and or: at least two, ascending
}

// terms holds terms, operands before what they are operands of.
type terms struct {
	nodes []node
	index map[string]term // by the bytes of key
	key   []byte          // reused
}

func newTerms() *terms {
	t := &terms{index: map[string]term{}}
	t.intern(node{kind: kindFalse})
	t.intern(node{kind: kindTrue})
	return t
}

func (t *terms) intern(n node) term {
	key := append(t.key[:0], byte(n.kind))
	key = binary.AppendUvarint(key, uint64(n.literal))
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

func (t *terms) literal(i int) term { return t.intern(node{kind: kindLiteral, literal: i}) }

// next makes X x. Conjunctions are taken apart, since what is nearer to the atoms needs no rule later (section 6.1.1).
func (t *terms) next(x term) term {
	n := t.nodes[x]
	switch n.kind {
	case kindFalse, kindTrue:
		return x
	case kindAnd:
		args := make([]term, len(n.args))
		for i, y := range n.args {
			args[i] = t.next(y)
		}
		return t.join(kindAnd, args)
	}
	return t.intern(node{kind: kindNext, args: []term{x}})
}

// join makes the conjunction of args or, by duality, the disjunction. The comments speak of conjunctions.
func (t *terms) join(k kind, args []term) term {
	zero, one := termFalse, termTrue
	if k == kindOr {
		zero, one = one, zero
	}
	var members []term
	for _, x := range args {
		if t.nodes[x].kind == k {
			members = append(members, t.nodes[x].args...)
		} else if x != one {
			members = append(members, x)
		}
	}
	slices.Sort(members)
	members = slices.Compact(members)
	for _, x := range members {
		if x == zero || t.denied(x, members) {
			return zero
		}
	}
	switch len(members) {
	case 0:
		return one
	case 1:
		return members[0]
	}
	return t.intern(node{kind: k, args: members})
}

// denied reports whether x is a literal whose negation is a member.
func (t *terms) denied(x term, members []term) bool {
	n := t.nodes[x]
	if n.kind != kindLiteral || n.literal%2 == 1 {
		return false
	}
	_, found := slices.BinarySearch(members, t.literal(n.literal^1))
	return found
}

// until makes x U y or, by duality, x R y. The comments speak of until.
func (t *terms) until(k kind, x, y term) term {
	zero, one, dual := termFalse, termTrue, kindRelease
	if k == kindRelease {
		zero, one, dual = one, zero, kindUntil
	}
	right := t.nodes[y]
	switch {
	case y == zero, y == one, x == zero, x == y:
		return y
	case right.kind == k && (right.args[0] == x || right.args[0] == one): // x U (x U z), x U F z
		return y
	case x != one:
	case right.kind == k: // F (x U z)
		return t.until(k, one, right.args[1])
	case right.kind == dual && right.args[0] == zero && t.nodes[right.args[1]].kind == k && t.nodes[right.args[1]].args[0] == one: // F G F z
		return y
	}
	return t.intern(node{kind: k, args: []term{x, y}})
}

// builder makes the term of a formula.
type builder struct {
	*terms
	atoms map[string]int
	done  map[polar]term // equivalences use their operands twice
}

// polar is a formula or its negation.
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

// dual returns k or, of a negation, what it makes of k.
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

// constant returns true or, of a negation, false.
func constant(value bool) term {
	if value {
		return termTrue
	}
	return termFalse
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

// path makes the term of an operator that speaks about all of a path.
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

// chain appends the terms of the members of a chain of conjunctions or disjunctions, so that it is joined once and not once
// for every member.
func (b *builder) chain(dst []term, f *temporal.Formula, op temporal.Op, not bool) []term {
	if f.Op != op {
		return append(dst, b.build(f, not))
	}
	return append(b.chain(dst, f.X, op, not), b.build(f.Y, not))
}
