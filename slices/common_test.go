package slices_test

import (
	"errors"
	"math/rand"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// TestCommon compares the least and greatest common slices of sets with a search among all slices.
func TestCommon(t *testing.T) {
	told, found := 0, 0
	for seed := range int64(2000) {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(rnd, small)
		sets := []slices.Set{w.random(rnd, 3), w.local(rnd), w.random(rnd, 1)}[rnd.Intn(3):]
		if rnd.Intn(3) > 0 {
			sets = []slices.Set{w.local(rnd), w.local(rnd), must(w.local(rnd).Complement(unbounded))}
		}
		common := func(i slices.Ideal) bool {
			for _, s := range sets {
				if !s.Contains(i) {
					return false
				}
			}
			return true
		}
		for _, from := range w.all {
			up := func(i, j slices.Ideal) bool { return i.Leq(j) }
			down := func(i, j slices.Ideal) bool { return j.Leq(i) }
			first, some, err := w.LeastCommon(unbounded, from, sets)
			if !errors.Is(err, slices.ErrNotClosed) {
				told++
				w.expectNearest(t, "first", from, first, some, up, common)
			}
			if some {
				found++
			}
			if last, some, err := w.GreatestCommon(unbounded, from, sets); err == nil {
				w.expectNearest(t, "last", from, last, some, down, common)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if told < 10000 || found < 2000 {
		t.Errorf("told %d times, found %d", told, found)
	}
}

// local draws the slices in which a task is in some of its local states.
func (w *world) local(src santest.Source) slices.Set {
	u := san.Task(src.Intn(w.Net().Tasks()))
	var rows []slices.Interval
	for k := range w.Net().Len(u) + 1 {
		if src.Intn(2) == 0 {
			rows = append(rows, w.Containing(u, k, k))
		}
	}
	return w.SetOfDisjoint(rows)
}

// expectNearest checks that a slice is the nearest common one from another: on the way to all
// others.
func (w *world) expectNearest(
	t fault, what string, from, got slices.Ideal, found bool, before func(i, j slices.Ideal) bool,
	common func(slices.Ideal) bool,
) {
	t.Helper()
	if found && (!common(got) || !before(from, got)) {
		t.Fatalf("%s from %v is %v, which is none", what, from, got)
	}
	for _, i := range w.all {
		if before(from, i) && common(i) && (!found || !before(got, i)) {
			t.Fatalf("%s from %v is %v, %v, but %v is one", what, from, got, found, i)
		}
	}
}
