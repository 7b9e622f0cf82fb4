// Package terms stores formulas of linear temporal logic in negation normal form. Equal formulas
// have the same number.
package terms

import (
	"encoding/binary"
	"slices"
)

// Term is an index into the nodes of a Table.
type Term int32

// The terms of every table.
const (
	False Term = iota
	True
)

// Kind is the operator of a term.
type Kind uint8

// The kinds. Splitters of package ltl choose the next formula by their order.
const (
	KindFalse Kind = iota
	KindTrue
	KindAtom      // atom
	KindNegated   // not atom
	KindAnd       // all args
	KindOr        // some of args
	KindNext      // strong; args[0]
	KindWeakNext  // args[0]
	KindRelease   // args[0] release args[1]
	KindUntil     // args[0] until args[1]
	KindAtTheLast // in the last state, args[0], which has no temporal operators
)

var duals = [...]Kind{
	KindFalse: KindTrue, KindTrue: KindFalse, KindAtom: KindNegated, KindNegated: KindAtom,
	KindAnd: KindOr, KindOr: KindAnd, KindNext: KindWeakNext, KindWeakNext: KindNext,
	KindRelease: KindUntil, KindUntil: KindRelease, KindAtTheLast: KindAtTheLast,
}

// Dual returns the kind by which negation replaces a kind.
func (k Kind) Dual() Kind { return duals[k] }

// Node is the contents of a term.
type Node struct {
	Kind Kind
	Atom int    // of an atom, or its negation
	Args []Term // of conjunctions and disjunctions: at least two, in ascending order
}

// Table holds terms. Operands come first.
type Table struct {
	Nodes []Node
	index map[string]Term // terms by the encoded node
	key   []byte          // buffer
}

// NewTable returns a table of True and False.
func NewTable() *Table {
	t := &Table{index: map[string]Term{}}
	t.Intern(Node{Kind: KindFalse})
	t.Intern(Node{Kind: KindTrue})
	return t
}

// Intern returns the term of a node. Equal nodes have the same term.
func (t *Table) Intern(n Node) Term {
	key := append(t.key[:0], byte(n.Kind))
	key = binary.AppendUvarint(key, uint64(n.Atom))
	for _, x := range n.Args {
		key = binary.AppendUvarint(key, uint64(x))
	}
	t.key = key
	if x, ok := t.index[string(key)]; ok {
		return x
	}
	x := Term(len(t.Nodes))
	t.Nodes = append(t.Nodes, n)
	t.index[string(key)] = x
	return x
}

// Literal returns the term of an atom, or of its negation.
func (t *Table) Literal(atom int, not bool) Term {
	if not {
		return t.Intern(Node{Kind: KindNegated, Atom: atom})
	}
	return t.Intern(Node{Kind: KindAtom, Atom: atom})
}

// Members returns the members of a conjunction of args, in ascending order without repetitions.
// Conjunctions among args are flattened. k is the kind of conjunctions or, by duality, of
// disjunctions.
func (t *Table) Members(k Kind, args []Term) []Term {
	var members []Term
	for _, x := range args {
		if n := &t.Nodes[x]; n.Kind == k {
			members = append(members, n.Args...)
		} else {
			members = append(members, x)
		}
	}
	slices.Sort(members)
	return slices.Compact(members)
}

// Of returns the term of a conjunction of members or, by duality, of a disjunction. one is the
// neutral element.
func (t *Table) Of(k Kind, members []Term, one Term) Term {
	switch len(members) {
	case 0:
		return one
	case 1:
		return members[0]
	}
	return t.Intern(Node{Kind: k, Args: members})
}
