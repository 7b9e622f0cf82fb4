// Package temporaltest generates random formulas of temporal logic for tests.
package temporaltest

import (
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Formula draws formulas of a logic over atoms, at most depth operators deep.
func Formula(logic temporal.Logic, atoms []*temporal.Atom, depth int) *rapid.Generator[*temporal.Formula] {
	unary, binary := operators(logic)
	return rapid.Custom(func(t *rapid.T) *temporal.Formula {
		arity := 0
		if depth > 0 {
			arity = rapid.SampledFrom([]int{0, 1, 1, 2, 2, 2}).Draw(t, "arity")
		}
		if arity == 0 {
			return leaf(t, atoms)
		}
		f := &temporal.Formula{X: Formula(logic, atoms, depth-1).Draw(t, "x")}
		if arity == 2 {
			f.Op = rapid.SampledFrom(binary).Draw(t, "op")
			f.Y = Formula(logic, atoms, depth-1).Draw(t, "y")
			return f
		}
		f.Op = rapid.SampledFrom(unary).Draw(t, "op")
		if f.Op == temporal.EX || f.Op == temporal.AX {
			f.Process = rapid.SampledFrom([]string{"", "1", "P0"}).Draw(t, "process")
		}
		return f
	})
}

// operators returns the unary and binary operators of a logic.
func operators(logic temporal.Logic) (unary, binary []temporal.Op) {
	first, last := temporal.Next, temporal.StrongRelease
	if logic == temporal.CTL {
		first, last = temporal.EX, temporal.AW
	}
	unary, binary = []temporal.Op{temporal.Not}, []temporal.Op{temporal.And, temporal.Or, temporal.Implies,
		temporal.Iff}
	for op := first; op <= last; op++ {
		switch {
		case op == temporal.WeakNext && logic != temporal.FiniteLTL:
		case temporal.Until <= op && op <= temporal.StrongRelease, temporal.EU <= op:
			binary = append(binary, op)
		default:
			unary = append(unary, op)
		}
	}
	return unary, binary
}

func leaf(t *rapid.T, atoms []*temporal.Atom) *temporal.Formula {
	i := rapid.IntRange(-2, len(atoms)*4-1).Draw(t, "atom")
	switch i {
	case -2:
		return &temporal.Formula{Op: temporal.True}
	case -1:
		return &temporal.Formula{Op: temporal.False}
	}
	return &temporal.Formula{Op: temporal.Atomic, Atom: atoms[i/4]}
}

// Atoms returns atoms with these names.
func Atoms(names ...string) []*temporal.Atom {
	atoms := make([]*temporal.Atom, len(names))
	for i, name := range names {
		atoms[i] = &temporal.Atom{Text: name}
	}
	return atoms
}
