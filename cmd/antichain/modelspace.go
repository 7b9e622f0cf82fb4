package main

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/antichain-go/antichain/slices/poset"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// A run with up to smallRun states is checked state by state. Larger ones are checked by sets of states. Those with up to largeRun
// states could be visited instead, in seconds, so their sets have fewer intervals before that happens.
const (
	smallRun        = 1 << 16 // states
	largeRun        = 1 << 20
	mediumIntervals = 1 << 11 // of the sets of a run that is not large
	maxIntervals    = 1 << 15 // of the sets of a large one
)

// runSpace is the space of sets of states of a run that is not small.
type runSpace struct {
	*sliced.Space
	large bool // too many states to be visited
}

// runSpace returns the space of a run, always the same; nil if the run is small, and for other models.
func (m *modelText) runSpace(ctx context.Context, fairness kripke.Fairness) (*runSpace, error) {
	if m.run == nil || m.counted {
		return m.sets, nil
	}
	small, large, err := m.size(ctx)
	m.counted = err == nil
	if small || err != nil {
		return nil, err
	}
	intervals := mediumIntervals
	if large {
		intervals = maxIntervals
	}
	space, err := sliced.New(m.run, fairness, intervals)
	if err == nil {
		m.sets = &runSpace{space, large}
	}
	return m.sets, err
}

// size reports whether a run is small, or large. Where its states cannot be counted quickly, it visits them to find out whether
// the run is small.
func (m *modelText) size(ctx context.Context) (small, large bool, err error) {
	quickly, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	states := poset.New(m.run.Net()).Ideals(quickly)
	switch {
	case states.Max.Cmp(big.NewInt(smallRun)) <= 0:
		return true, false, nil
	case states.Max.Cmp(big.NewInt(largeRun)) <= 0:
		return false, false, nil
	case states.Min.Cmp(big.NewInt(largeRun)) > 0:
		return false, true, nil
	}
	run := tracemodel.New(m.run.Net()) // so that m.run does not number states that no answer shows
	_, err = kripke.Explore(ctx, kripke.AtMost(run, smallRun))
	if errors.Is(err, kripke.ErrMany) {
		return false, true, nil
	}
	return true, false, err
}

// visitInstead reports whether the states are to be visited: err says that sets of them have too many parts, and the run is
// not large.
func (s *runSpace) visitInstead(err error) bool {
	return s != nil && errors.Is(err, sliced.ErrIntervals) && !s.large
}
