package slices_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/slices"
)

// Ascend and Descend stay where they are wanted; else they go on, and pass by no slice that is.
func TestAscendDescend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		w := newWorld(src, small)
		s := w.random(src, 4)
		if rapid.Bool().Draw(t, "ranked") {
			s = must(must(s.Sometime(unbounded)).Union(unbounded, must(s.Next(unbounded))))
		}
		above := func(i, j slices.Ideal) bool { return i.Leq(j) }
		below := func(i, j slices.Ideal) bool { return j.Leq(i) }
		for _, i := range w.all {
			for _, in := range []bool{true, false} {
				w.checkWays(t, s, i, in, s.Ascend(i, in), above)
				w.checkWays(t, s, i, in, s.Descend(i, in), below)
			}
		}
	})
}

func (w *world) checkWays(
	t *rapid.T, s slices.Set, i slices.Ideal, in bool, ways []slices.Ideal, before func(i, j slices.Ideal) bool,
) {
	if s.Contains(i) == in {
		if len(ways) != 1 || !ways[0].Equal(i) {
			t.Fatalf("%v is there, leads to %v", i, ways)
		}
		return
	}
	for _, way := range ways {
		if !before(i, way) || way.Equal(i) {
			t.Fatalf("%v leads back to %v", i, way)
		}
	}
	for _, j := range w.all {
		passed := s.Contains(j) == in && before(i, j)
		for _, way := range ways {
			passed = passed && !before(way, j)
		}
		if passed {
			t.Fatalf("%v leads to %v, past %v; in: %v", i, ways, j, in)
		}
	}
}
