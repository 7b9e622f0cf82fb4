package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Follower follows one sequence of states, as it comes, to the first one up to which it satisfies a formula. That is the
// only step of all modes but Maximal where nothing can be chosen.
type Follower struct {
	reader    *reader
	automaton *ltl.Subsets
	at        int
}

// Progress says how far a sequence has come.
type Progress uint8

// The kinds of progress.
const (
	Open    Progress = iota // it does not satisfy the formula, but a longer one may
	Reached                 // it satisfies the formula
	Missed                  // neither it nor a longer one satisfies the formula
)

// NewAlong returns one at the beginning of a sequence. An error is one of an atom that the system does not know.
func NewAlong(sys kripke.System, f *temporal.Formula) (*Follower, error) {
	a := &Follower{automaton: ltl.NewSubsets(ltl.New(f))}
	a.at = a.automaton.Initial()
	var err error
	a.reader, err = newReader(sys, a.automaton.Atoms())
	return a, err
}

// Read reads the next state. An error is the cause of a context that has ended.
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
