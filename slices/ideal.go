package slices

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// Ideal is a causally closed set of actions: how many events of each task are in it. It
// is immutable; the zero Ideal is empty. Each ideal is one slice, whose
// local state of a created task t is (t, At(t)).
type Ideal struct {
	counts []int32 // by task; nil if all are 0
	sum    int     // of counts: i ⊂ j only if i.sum < j.sum
	edge   *edge   // nil if nothing is known
}

// edge is what is known about an ideal from how it was made: the intervals of an atom
// are bounded by ideals with one maximal or one next action, and finding that out from
// the counts looks at every task. With it, inclusion is a question about that action.
type edge struct {
	maximal, next []san.Action // nil if not known
}

func newIdeal(counts []int32) Ideal {
	sum := 0
	for _, c := range counts {
		sum += int(c)
	}
	if sum == 0 {
		return Ideal{}
	}
	return Ideal{counts: counts, sum: sum}
}

// At returns the number of t's events in the ideal.
func (i Ideal) At(t san.Task) int {
	if i.counts == nil {
		return 0
	}
	return int(i.counts[t])
}

// Has reports whether the action is in the ideal.
func (i Ideal) Has(a san.Action) bool { return i.At(a.Task) >= int(a.K) }

// Events returns the number of events in the ideal; every side of a joint action counts.
func (i Ideal) Events() int { return i.sum }

// Leq reports whether i is a subset of j.
func (i Ideal) Leq(j Ideal) bool {
	if i.sum > j.sum {
		return false
	}
	if i.sum == 0 {
		return true
	}
	if i.edge != nil && i.edge.maximal != nil {
		return j.hasAll(i.edge.maximal)
	}
	if j.edge != nil && j.edge.next != nil {
		return !i.hasAny(j.edge.next)
	}
	return atMost(i.counts, j.counts)
}

func atMost(a, b []int32) bool {
	b = b[:len(a)]
	for t, c := range a {
		if c > b[t] {
			return false
		}
	}
	return true
}

func (i Ideal) hasAll(as []san.Action) bool {
	for _, a := range as {
		if !i.Has(a) {
			return false
		}
	}
	return true
}

func (i Ideal) hasAny(as []san.Action) bool {
	for _, a := range as {
		if i.Has(a) {
			return true
		}
	}
	return false
}

// Equal reports whether i and j are the same ideal.
func (i Ideal) Equal(j Ideal) bool {
	return i.sum == j.sum && stdslices.Equal(i.counts, j.counts)
}

// Join returns the union, the least ideal above both.
func (i Ideal) Join(j Ideal) Ideal {
	if i.sum < j.sum {
		i, j = j, i
	}
	if j.Leq(i) {
		return i
	}
	counts := make([]int32, len(i.counts))
	for t, c := range i.counts {
		counts[t] = max(c, j.counts[t])
	}
	return newIdeal(counts)
}

// Meet returns the intersection, the greatest ideal below both.
func (i Ideal) Meet(j Ideal) Ideal {
	if i.sum > j.sum {
		i, j = j, i
	}
	if i.Leq(j) {
		return i
	}
	counts := make([]int32, len(i.counts))
	for t, c := range i.counts {
		counts[t] = min(c, j.counts[t])
	}
	return newIdeal(counts)
}

// String returns the number of events of each task, "[1 0 2]", and "[]" if all are 0.
func (i Ideal) String() string { return fmt.Sprint(i.counts) }

// key returns a string that only equal ideals share.
func (i Ideal) key() string {
	b := make([]byte, 0, 2*len(i.counts))
	for _, c := range i.counts {
		for c >= 0x80 {
			b = append(b, byte(c)|0x80)
			c >>= 7
		}
		b = append(b, byte(c))
	}
	return string(b)
}
