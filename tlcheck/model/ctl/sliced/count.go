package sliced

import (
	"math/big"
	"time"

	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Counts of slices are optional, so counting gets limits of its own. The ranks of intervals exclude
// few slices of small sets.
const (
	maxCounting  = time.Second
	countedParts = 1 << 12
	maxExcluded  = 1 << 10
)

func (s *Space) Count(x set) *big.Int { return s.count(s.intervals(s.counting, x)) }

func (s *Space) Reached(from kripke.State, during set) *big.Int {
	through, err := s.intervals(s.counting, during)
	if err != nil {
		return nil
	}
	return s.count(through.ReachedFrom(s.counting, s.run.Slice(from)))
}

// count returns the number of slices in a set; nil if that takes too long, or if computing the set
// failed.
func (s *Space) count(x slices.Set, err error) *big.Int {
	if err != nil {
		return nil
	}
	pieces, err := x.DisjointIntervals(s.counting)
	if err != nil {
		return nil
	}
	n := new(big.Int)
	for _, iv := range pieces {
		part := s.between(iv)
		if part == nil {
			return nil
		}
		n.Add(n, part)
	}
	return n
}

// between returns the number of slices in an interval; nil if that takes too long.
func (s *Space) between(iv slices.Interval) *big.Int {
	if s.counter == nil {
		s.counter = poset.New(s.run.Net()).NewCounter()
	}
	n := s.counter.Between(s.counting.Context, iv.Lo.At, iv.Hi.At)
	if !n.Exact() {
		return nil
	}
	if iv.Ranked() {
		excluded, ok, err := s.lattice.CountExcludedByRank(s.counting, iv, maxExcluded)
		if !ok || err != nil {
			return nil
		}
		n.Min.Sub(n.Min, big.NewInt(int64(excluded)))
	}
	return n.Min
}
