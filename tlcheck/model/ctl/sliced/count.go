package sliced

import (
	"math/big"
	"time"

	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/slices/poset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Numbers of slices are good to know, but not worth waiting for: in the time that counting has within a work, and for sets of few
// intervals. Of these few slices are left out because of their ranks.
const (
	maxCounting  = time.Second
	countedParts = 1 << 12
	maxExcluded  = 1 << 10
)

// Count implements ctl.Space.
func (s *Space) Count(x set) *big.Int {
	return s.count(func() slices.Set { return s.intervals(x) })
}

// Reached implements ctl.Space.
func (s *Space) Reached(from kripke.State, during set) *big.Int {
	return s.count(func() slices.Set { return s.intervals(during).Reached(s.run.Slice(from)) })
}

// count returns how many slices a set has that is still to be computed; nil if that takes too long.
func (s *Space) count(compute func() slices.Set) (n *big.Int) {
	s.lattice.Guard(countedParts, func() bool { return s.counting.Err() != nil })
	defer func() {
		switch e := recover().(type) {
		case nil, stopped:
		default:
			panic(e)
		}
		if s.lattice.GaveUp() {
			n = nil
		}
		s.guard()
	}()
	n = new(big.Int)
	for _, iv := range compute().Pieces() {
		part := s.between(iv)
		if part == nil {
			return nil
		}
		n.Add(n, part)
	}
	return n
}

// between returns how many slices an interval has; nil if that takes too long.
func (s *Space) between(iv slices.Interval) *big.Int {
	if s.counter == nil {
		s.counter = poset.New(s.run.Net()).NewCounter()
	}
	n := s.counter.Between(s.counting, iv.Lo.At, iv.Hi.At)
	if !n.Exact() {
		return nil
	}
	if iv.Ranked() {
		excluded, ok := s.lattice.Excluded(iv, maxExcluded)
		if !ok {
			return nil
		}
		n.Min.Sub(n.Min, big.NewInt(int64(excluded)))
	}
	return n.Min
}
