package main

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/slices/poset"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// The states of a run are visited where there are few. Otherwise sets of them decide a formula, with few intervals as long as
// the states could be visited instead, in seconds.
const (
	fewStates     = 1 << 16
	manyStates    = 1 << 20
	fewIntervals  = 1 << 11
	manyIntervals = 1 << 15
)

// runSets is the space of a run that has not few states.
type runSets struct {
	*sliced.Space
	many bool // too many to be visited
}

// sets returns the space of a run, always the same; nil if it has few states, and for other models.
func (m *modelText) sets(ctx context.Context, fairness kripke.Fairness) (*runSets, error) {
	if m.run == nil || m.counted {
		return m.space, nil
	}
	few, many, err := m.size(ctx)
	m.counted = err == nil
	if few || err != nil {
		return nil, err
	}
	intervals := fewIntervals
	if many {
		intervals = manyIntervals
	}
	space, err := sliced.New(m.run, fairness, intervals)
	if err == nil {
		m.space = &runSets{space, many}
	}
	return m.space, err
}

// size reports whether a run has few states, or many. Where they cannot be counted quickly they are visited to find out, up to few.
func (m *modelText) size(ctx context.Context) (few, many bool, err error) {
	quickly, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	states := poset.New(m.run.Net()).Ideals(quickly)
	switch {
	case states.Max.Cmp(big.NewInt(fewStates)) <= 0:
		return true, false, nil
	case states.Max.Cmp(big.NewInt(manyStates)) <= 0:
		return false, false, nil
	case states.Min.Cmp(big.NewInt(manyStates)) > 0:
		return false, true, nil
	}
	run := tracemodel.New(m.run.Net()) // so that m.run gives no numbers to states that nobody hears of
	_, err = kripke.Explore(ctx, kripke.AtMost(run, fewStates))
	if errors.Is(err, kripke.ErrMany) {
		return false, true, nil
	}
	return true, false, err
}

// instead reports whether the states are to be visited, as sets of them have too many parts.
func (s *runSets) instead(err error) bool {
	return s != nil && errors.As(err, new(*slices.IntervalsError)) && !s.many
}
