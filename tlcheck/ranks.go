package tlcheck

import (
	"math"

	"github.com/antichain-go/antichain/slices"
)

// Once a violation is known, only slices with fewer actions, or with more, can be better. What
// operators make of other slices need not be known, and so sets of thousands of intervals become
// sets of a few.

// ranks are the numbers of actions of slices that are wanted.
type ranks struct{ least, most int }

var allRanks = ranks{most: math.MaxInt}

// of returns the intervals of the set that have a slice of these ranks.
func (r ranks) of(s slices.Set) slices.Set {
	if r == allRanks {
		return s
	}
	return s.Ranks(r.least, r.most)
}

// after returns the ranks of the slices that k actions lead to.
func (r ranks) after(k int) ranks {
	return ranks{add(r.least, k), add(r.most, k)}
}

// above returns the ranks of the slices that any number of actions leads to.
func (r ranks) above() ranks { return ranks{r.least, math.MaxInt} }

// add adds numbers that may be as large as there are.
func add(m, n int) int {
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
