package ctl

import (
	"context"
	"iter"
	"math/big"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Space is a transition system, with a fairness, whose states come in sets. S is a set of states, which nothing changes. Each path can be
// continued for ever. A set that is handed to a Space has no states but those of Every.
type Space[S any] interface {
	// System says what the states and moves that Evidence speaks of are.
	System() kripke.System

	// Within runs work that uses the space, and returns its error. When the context ends, operations return its cause, or it ends the
	// work with that.
	Within(ctx context.Context, work func() error) error

	Every() S                 // all states
	Fair() S                  // the states in which a fair path begins
	Where(atom kripke.Atom) S // the states with an atom
	And(x, y S) S             // intersection
	Or(x, y S) S              // union
	Minus(x, y S) S           // what is in x and not in y
	Count(x S) *big.Int       // how many states; nil if that is not known
	Has(x S, at kripke.State) bool
	All(x S) iter.Seq2[kripke.State, error] // an error is the last that it yields

	// Before returns where some move of a process, or of Anybody, goes to x.
	Before(process int32, x S) (S, error)
	// Until returns where some path leads to goal through states of during.
	Until(during, goal S) (S, error)
	// WeakUntil returns where some path does so, or is fair and stays in during for ever. In goal a fair path begins.
	WeakUntil(during, goal S) (S, error)
	// Again returns where a fair path begins that stays in during and is in goal infinitely often.
	Again(during, goal S) (S, error)

	// Way returns a way from a state through states of during to goal, if there is one. It is a shortest one, unless that would
	// take too long to find.
	Way(from kripke.State, during, goal S) ([]Step, bool, error)
	// Reached returns how many states there are on ways from a state through states of during; nil if that is not known.
	Reached(from kripke.State, during S) *big.Int
	// Lassos returns a function that finds a fair path from a state which stays in during and is in goal infinitely often. There must be one.
	Lassos(during, goal S) (func(from kripke.State) (Lasso, error), error)
}

// Anybody stands for the process of an EX or AX that speaks about the moves of all.
const Anybody int32 = kripke.Nobody - 1

// Lasso is an infinite path: steps, of which those from Loop on are repeated for ever.
type Lasso struct {
	Steps []Step
	Loop  int
}
