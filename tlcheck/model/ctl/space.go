package ctl

import (
	"context"
	"iter"
	"math/big"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Space is a transition system with a fairness, represented by sets of states. S is an immutable
// set of states. Every path must be extensible to an infinite one. Arguments must be subsets of
// Every.
type Space[S any] interface {
	// System describes the states and moves of Evidence.
	System() kripke.System

	// Within runs work that uses the space, and returns its error. When the context ends,
	// operations return its cause, or end the work with it.
	Within(ctx context.Context, work func() error) error

	Every() S                 // all states
	Fair() S                  // the states in which a fair path begins
	Where(atom kripke.Atom) S // the states with an atom
	And(x, y S) S             // intersection
	Or(x, y S) S              // union
	Minus(x, y S) S           // difference
	Count(x S) *big.Int       // number of states; nil if unknown
	Has(x S, at kripke.State) bool
	All(x S) iter.Seq2[kripke.State, error] // an error comes last

	// Preimage returns the states with a move of a process into x. The process may be
	// AnyProcess.
	Preimage(process int32, x S) (S, error)
	// Until returns the states from which some path leads to goal through states of during.
	Until(during, goal S) (S, error)
	// WeakUntil returns the states of Until, and those from which some fair path stays in during
	// for ever. A fair path begins in each state of goal.
	WeakUntil(during, goal S) (S, error)
	// InfinitelyOften returns the states from which some fair path stays in during and visits goal
	// infinitely often.
	InfinitelyOften(during, goal S) (S, error)

	// ShortestPath returns a path from a state through states of during to goal, if there is one.
	// It may be longer than necessary if the shortest one would take too long to find.
	ShortestPath(from kripke.State, during, goal S) ([]Step, bool, error)
	// Reached returns the number of states on paths from a state through states of during; nil if
	// unknown.
	Reached(from kripke.State, during S) *big.Int
	// Lassos returns a function that finds a fair path from a state that stays in during and visits
	// goal infinitely often. Such a path must exist.
	Lassos(during, goal S) (func(from kripke.State) (Lasso, error), error)
}

// AnyProcess is the process of an EX or AX without a subscript, which concerns the moves of all.
const AnyProcess int32 = kripke.NoProcess - 1

// Lasso is an infinite path, which repeats the steps from Loop on.
type Lasso struct {
	Steps []Step
	Loop  int
}
