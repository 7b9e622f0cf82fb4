package slices_test

import (
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

var longer = santest.Config{Tasks: 3, Spawns: 2, Steps: 12, Frames: -1, Values: -1}

// TestPaths compares paths through sets with paths through all slices.
func TestPaths(t *testing.T) {
	ways := 0
	for seed := range int64(1000) {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(rnd, longer)
		ways += w.checkPaths(t, w.random(rnd, 8), w.random(rnd, 1))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if ways < 150 {
		t.Errorf("only %d paths of more than two actions", ways)
	}
}

// TestPathsShrink is the same under rapid.
func TestPathsShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		w := newWorld(src, small)
		w.checkPaths(t, w.random(src, 5), w.random(src, 2))
	})
}

// checkPaths returns how many ways have more than two actions.
func (w *world) checkPaths(t fault, s, goal slices.Set) (ways int) {
	t.Helper()
	g, _ := slicestest.Enumerate(w.Lattice, len(w.all))
	distance := make([]int, g.Len()) // to goal, -1 if there is no path
	for n := g.Len() - 1; n >= 0; n-- {
		distance[n] = -1
		if goal.Contains(g.Slice(n)) {
			distance[n] = 0
			continue
		}
		for _, m := range g.Successors(n) {
			if d := distance[m] + 1; s.Contains(g.Slice(n)) && d > 0 && (distance[n] < 0 || d < distance[n]) {
				distance[n] = d
			}
		}
	}
	index := func(i slices.Ideal) int {
		n, _ := g.Index(i)
		return n
	}
	w.expect(t, "exists until", must(s.ExistsUntil(unbounded, goal)),
		func(i slices.Ideal) bool { return distance[index(i)] >= 0 })
	for n, want := range distance {
		at := g.Slice(n)
		way, ok, err := s.ShortestPath(unbounded, at, goal)
		if err != nil || ok != (want >= 0) || ok && len(way) != want {
			t.Fatalf("path from %v: %v, %v, want %d actions", at, way, ok, want)
		}
		if !ok {
			w.checkReached(t, s, g, n)
			continue
		}
		for _, a := range way {
			if !s.Contains(at) || !enabled(w.Lattice, at, a) {
				t.Logf("%s", w.trace)
				t.Fatalf("path from %v: %v in %v", g.Slice(n), a, at)
			}
			at = w.Fire(at, a)
		}
		if !goal.Contains(at) {
			t.Fatalf("path from %v ends in %v", g.Slice(n), at)
		}
		if len(way) > 2 {
			ways++
		}
	}
	return ways
}

func enabled(l *slices.Lattice, i slices.Ideal, a san.Action) bool {
	for _, e := range l.Enabled(i) {
		if e == a {
			return true
		}
	}
	return false
}

func (w *world) checkReached(t fault, s slices.Set, g *slicestest.Graph, from int) {
	t.Helper()
	reached := make([]bool, g.Len())
	reached[from] = true
	for n := from; n < g.Len(); n++ {
		for _, m := range g.Successors(n) {
			reached[m] = reached[m] || reached[n] && s.Contains(g.Slice(n))
		}
	}
	w.expect(t, "reached", must(s.ReachedFrom(unbounded, g.Slice(from))), func(i slices.Ideal) bool {
		n, _ := g.Index(i)
		return reached[n]
	})
}

// TestNextBy compares predecessors by the actions of a task with their definition.
func TestNextBy(t *testing.T) {
	for seed := range int64(2000) {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(rnd, small)
		s := w.random(rnd, 4)
		in := w.set(s.Contains)
		for u := range san.Task(w.Net().Tasks()) {
			w.expect(t, "next by", must(s.NextBy(unbounded, u)), func(i slices.Ideal) bool {
				for _, a := range w.Enabled(i) {
					if a.Task == u && in[w.Fire(i, a).String()] {
						return true
					}
				}
				return false
			})
		}
	}
}
