// Package models loads the models on which formulas of temporal logic are checked.
//
// A model is a finite-state program, a structure written in JSON, or a recorded run, whose states
// are its global states. A Source names a file, and Keys name a model in a question of a batch. A
// Cache keeps a loaded model for later questions. A run with many states is loaded as a space of
// sets of states.
package models

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// Model is a program, a structure or a run, from which Open makes a system.
type Model struct {
	Name       string // for errors
	Text       []byte
	Program    bool            // otherwise it is a structure,
	Run        *tracemodel.Run // unless this is set
	Sets       *RunSpace       // of a run with many states, once they are counted
	counted    bool            // Sets is computed
	parameters map[string]int64
}

// Open returns the system of a model.
func (m *Model) Open() (kripke.System, error) {
	if m.Run != nil {
		return m.Run, nil
	}
	if !m.Program {
		if len(m.parameters) > 0 {
			return nil, fmt.Errorf("%s is a structure, which has no parameters: leave out --param", m.Name)
		}
		return kripke.ParseStructure(m.Name, m.Text)
	}
	return m.OpenProgram()
}

// OpenProgram returns the system of a program.
func (m *Model) OpenProgram() (*gcl.System, error) {
	f, err := gcl.Parse(m.Name, string(m.Text))
	if err != nil {
		return nil, err
	}
	return gcl.New(f, m.parameters)
}

// System opens a model. With stutter, states without successors stutter. The last state of a run
// always does.
func (m *Model) System(stutter bool) (kripke.System, error) {
	sys, err := m.Open()
	if err == nil && (stutter || m.Run != nil) {
		sys = kripke.Stutter(sys)
	}
	return sys, err
}

// Explore opens a model and explores all its states. If there are more than most, the error is
// kripke.ErrMany.
func (m *Model) Explore(ctx context.Context, stutter bool, most int) (*kripke.Graph, error) {
	sys, err := m.System(stutter)
	if err != nil {
		return nil, err
	}
	if most < kripke.MaxStates {
		sys = kripke.AtMost(sys, most)
	}
	return kripke.Explore(ctx, sys)
}

// A run with up to SmallRun states is checked state by state. Larger ones are checked by sets of
// states. Those with up to largeRun states could be visited within seconds instead, so their sets
// get fewer intervals.
const (
	SmallRun        = 1 << 16 // states
	largeRun        = 1 << 20
	mediumIntervals = 1 << 11 // for the sets of a run that is not large
	MaxIntervals    = 1 << 15 // for the sets of a large run
)

// RunSpace is the space of sets of states of a run that is not small.
type RunSpace struct {
	*sliced.Space
	large bool // too many states to visit
}

// RunSpace returns the space of a run, the same one on each call; nil if the run is small, and for
// other models.
func (m *Model) RunSpace(ctx context.Context, fairness kripke.Fairness) (*RunSpace, error) {
	if m.Run == nil || m.counted {
		return m.Sets, nil
	}
	small, large, err := m.size(ctx)
	m.counted = err == nil
	if small || err != nil {
		return nil, err
	}
	intervals := mediumIntervals
	if large {
		intervals = MaxIntervals
	}
	space, err := sliced.New(m.Run, fairness, intervals)
	if err == nil {
		m.Sets = &RunSpace{space, large}
	}
	return m.Sets, err
}

// size reports whether a run is small, or large. If its states cannot be counted quickly, it visits
// them to find out whether the run is small.
func (m *Model) size(ctx context.Context) (small, large bool, err error) {
	brief, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	states := poset.New(m.Run.Net()).Ideals(brief)
	switch {
	case states.Max.Cmp(big.NewInt(SmallRun)) <= 0:
		return true, false, nil
	case states.Max.Cmp(big.NewInt(largeRun)) <= 0:
		return false, false, nil
	case states.Min.Cmp(big.NewInt(largeRun)) > 0:
		return false, true, nil
	}
	// another one, to keep m.run from numbering states that no answer shows
	run := tracemodel.New(m.Run.Net())
	_, err = kripke.Explore(ctx, kripke.AtMost(run, SmallRun))
	if errors.Is(err, kripke.ErrMany) {
		return false, true, nil
	}
	return true, false, err
}

// VisitInstead reports whether to visit the states: sets have too many parts, and the run is not
// large.
func (s *RunSpace) VisitInstead(err error) bool {
	return s != nil && errors.As(err, new(*slices.IntervalsError)) && !s.large
}
