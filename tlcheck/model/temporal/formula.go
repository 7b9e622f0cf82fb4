package temporal

import "github.com/antichain-go/antichain/tlcheck/source"

// Formula is a formula of LTL or CTL as it was written, without simplification.
type Formula struct {
	Op      Op
	X, Y    *Formula // the operands; a unary operator has X
	Atom    *Atom    // of op Atomic
	Process string   // of EX_i and AX_i; "" for any process
	Pos     Pos

	depth int // height of the tree, including itself
}

// Pos is a position in the text of a formula.
type Pos = source.Pos

// Atom is a proposition about one state. Atoms with equal text are equal.
type Atom struct {
	Text string
	Pos  Pos

	// For a comparison of variables and integers, such as turn == 1; Relation is in Go's notation.
	// Otherwise empty.
	Left, Relation, Right string

	// For t:(local): the task, and the formula of the local state logic as it was written.
	Task, Local string
}

// Op is the main operator of a formula.
type Op uint8

// The operators. Those of CTL quantify over the paths from a state: E over some, A over all.
const (
	Invalid Op = iota
	True
	False
	Atomic
	Not
	And
	Or
	Implies
	Iff
	Next          // X: there is a next state, and the operand holds there
	WeakNext      // N: if there is a next state, the operand holds there
	Eventually    // F
	Always        // G
	Until         // f U g: g eventually, and f until then
	Release       // f R g: g for ever, or up to and including a state with f
	WeakUntil     // f W g: f U g, or f for ever
	StrongRelease // f M g: f R g, and f eventually
	EX
	AX
	EF
	AF
	EG
	AG
	EGF // on some path infinitely often
	AFG // on every path from some state on
	EU
	AU
	ER
	AR
	EW
	AW
)

// Logic selects the operators.
type Logic uint8

// The logics.
const (
	FiniteLTL   Logic = iota + 1 // over finite words
	InfiniteLTL                  // over infinite words
	CTL
)

// Atoms returns the distinct atoms in f, in the order in which they are written.
func (f *Formula) Atoms() []*Atom {
	var atoms []*Atom
	seen := map[string]bool{}
	var walk func(*Formula)
	walk = func(f *Formula) {
		if f == nil {
			return
		}
		if f.Op == Atomic && !seen[f.Atom.Text] {
			seen[f.Atom.Text] = true
			atoms = append(atoms, f.Atom)
		}
		walk(f.X)
		walk(f.Y)
	}
	walk(f)
	return atoms
}

// Propositional reports whether f has no temporal operators, and so is about one state.
func (f *Formula) Propositional() bool {
	switch f.Op {
	case True, False, Atomic:
		return true
	case Not:
		return f.X.Propositional()
	case And, Or, Implies, Iff:
		return f.X.Propositional() && f.Y.Propositional()
	}
	return false
}
