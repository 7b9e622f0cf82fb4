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

// Node is the contents of a term. K is the type of operators; the first two are false and true.
type Node[K ~uint8] struct {
	Kind K
	Atom int    // of an atom, or a literal
	Args []Term // of conjunctions and disjunctions: at least two, in ascending order
}

// Table holds terms. Operands come first.
type Table[K ~uint8] struct {
	Nodes []Node[K]
	index map[string]Term // terms by the encoded node
	key   []byte          // buffer
}

func NewTable[K ~uint8]() *Table[K] {
	t := &Table[K]{index: map[string]Term{}}
	t.Intern(Node[K]{Kind: K(False)})
	t.Intern(Node[K]{Kind: K(True)})
	return t
}

// Intern returns the term of a node. Equal nodes have the same term.
func (t *Table[K]) Intern(n Node[K]) Term {
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

// Members returns the members of a conjunction of args, in ascending order without repetitions.
// Conjunctions among args are flattened. k is the kind of conjunctions or, by duality, of
// disjunctions.
func (t *Table[K]) Members(k K, args []Term) []Term {
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
func (t *Table[K]) Of(k K, members []Term, one Term) Term {
	switch len(members) {
	case 0:
		return one
	case 1:
		return members[0]
	}
	return t.Intern(Node[K]{Kind: k, Args: members})
}
