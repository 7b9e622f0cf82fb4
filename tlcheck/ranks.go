package tlcheck

import (
	"math"

	"github.com/antichain-go/antichain/slices"
)

// Once a violation is known, only slices with fewer actions, or with more, can be better. Operators
// may ignore all other slices, which turns sets of thousands of intervals into sets of a few.

// ranks is a range of numbers of actions.
type ranks struct{ least, most int }

var allRanks = ranks{most: math.MaxInt}

// of returns the intervals of the set that have a slice within these ranks.
func (r ranks) of(s slices.Set) slices.Set {
	if r == allRanks {
		return s
	}
	return s.WithRanks(r.least, r.most)
}

// after returns the ranks of the slices k actions later.
func (r ranks) after(k int) ranks {
	return ranks{addSaturating(r.least, k), addSaturating(r.most, k)}
}

// above returns the ranks of the slices any number of actions later.
func (r ranks) above() ranks { return ranks{r.least, math.MaxInt} }

// addSaturating adds numbers without overflow.
func addSaturating(m, n int) int {
	if m > math.MaxInt-n {
		return math.MaxInt
	}
	return m + n
}

// ranked calls compute, which needs only slices of these ranks.
func (e *evaluator) ranked(r ranks, compute func() error) error {
	outer := e.ranks
	e.ranks = r
	err := compute()
	e.ranks = outer
	return err
}

// wantedRanks returns the ranks of the slices that can be better than the best violation.
func (s *search) wantedRanks() ranks {
	switch {
	case s.best == nil:
		return allRanks
	case s.last:
		return ranks{s.best.size, math.MaxInt}
	}
	return ranks{0, s.best.size}
}
