package slices_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/slices"
)

// Every slice of a set is in exactly one of its pieces, and no other is in any.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		w := newWorld(src, small)
		s := w.random(src, 4)
		if rapid.Bool().Draw(t, "ranked") {
			s = must(must(s.Sometime(unbounded)).Union(unbounded, must(s.Next(unbounded))))
		}
		pieces := must(s.DisjointIntervals(unbounded))
		for _, i := range w.all {
			in := 0
			for _, p := range pieces {
				if p.Contains(i) {
					in++
				}
			}
			if in > 1 || (in == 1) != s.Contains(i) {
				t.Fatalf("%v is in %d pieces; in the set: %v", i, in, s.Contains(i))
			}
		}
		for _, p := range pieces {
			w.checkExcluded(t, p)
		}
	})
}

// checkExcluded compares the number of slices that ranks exclude with enumeration.
func (w *world) checkExcluded(t *rapid.T, p slices.Interval) {
	want := 0
	for _, i := range w.all {
		if p.Lo.Leq(i) && i.Leq(p.Hi) && !p.Contains(i) {
			want++
		}
	}
	if n, ok, err := w.CountExcludedByRank(unbounded, p, len(w.all)); !ok || n != want || err != nil {
		t.Fatalf("%v … %v with ranks %d to %d: %d excluded (%v), want %d", p.Lo, p.Hi, p.Lowest(), p.Highest(), n, ok,
			want)
	}
	if want > 0 {
		if _, ok, err := w.CountExcludedByRank(unbounded, p, want-1); ok || err != nil {
			t.Fatalf("%d excluded, beyond the limit", want)
		}
	}
}

// What was stopped is not a number.
func TestExcludedStopped(t *testing.T) {
	l := slices.NewLattice(independent(t, 3, 5))
	// without the two highest ranks
	lower := must(must(l.Set(slices.Interval{Hi: l.Top()}).Next(unbounded)).Next(unbounded)).Intervals()[0]
	if n, ok, err := l.CountExcludedByRank(unbounded, lower, 100); !ok || n != 4 || err != nil {
		t.Fatalf("%d slices (%v, %v), want the highest and the 3 below it", n, ok, err)
	}
	if n, ok, err := l.CountExcludedByRank(slices.Budget{Context: ended(t.Context())}, lower, 100); ok ||
		!errors.Is(err, errEnough) {
		t.Errorf("%d slices, though it was stopped: %v", n, err)
	}
}
