package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Follower reads one sequence of states up to its first prefix that satisfies a formula. If nothing
// can be chosen, that prefix is the only step of all modes except Maximal.
type Follower struct {
	reader    *reader
	automaton *ltl.Subsets
	at        int
}

// Progress is the state of a sequence with respect to a formula.
type Progress uint8

// The kinds of progress.
const (
	Open    Progress = iota // the sequence does not satisfy the formula, but a longer one may
	Reached                 // the sequence satisfies the formula
	Missed                  // neither the sequence nor a longer one satisfies the formula
)

// NewFollower returns a Follower before the first state. An error is for an atom that the system
// does not have.
func NewFollower(sys kripke.System, f *temporal.Formula) (*Follower, error) {
	a := &Follower{automaton: ltl.NewSubsets(ltl.New(f))}
	a.at = a.automaton.Initial()
	var err error
	a.reader, err = newReader(sys, a.automaton.Atoms())
	return a, err
}

// Read reads the next state. An error is the cause of the end of the context.
func (a *Follower) Read(ctx context.Context, s kripke.State) (Progress, error) {
	to, err := a.automaton.Next(ctx, a.at, a.reader.letter(s))
	if err != nil {
		return Open, err
	}
	a.at = to
	switch {
	case a.automaton.Accepting(to):
		return Reached, nil
	case a.automaton.Dead(to):
		return Missed, nil
	}
	return Open, nil
}

// Holds reports whether a sequence of states satisfies a formula. An error is for an atom, or the
// cause of the end of the context.
func Holds(ctx context.Context, sys kripke.System, f *temporal.Formula, states []kripke.State) (bool, error) {
	word := make(ltl.Word, len(states))
	for _, a := range f.Atoms() {
		atom, err := sys.Atom(a.Text)
		if err != nil {
			return false, err
		}
		for i, s := range states {
			if sys.Holds(atom, s) {
				word[i] = append(word[i], a.Text)
			}
		}
	}
	return ltl.Holds(ctx, f, word)
}
