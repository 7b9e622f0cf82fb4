package slices_test

import (
	"errors"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// drawTops draws upper bounds that lack a single action, two, or whatever the ideals lack that it
// draws from.
func drawTops(
	src santest.Source, l *slices.Lattice, actions []san.Action, ideals []slices.Ideal, most int,
) []slices.Ideal {
	var tops []slices.Ideal
	for range src.Intn(most + 1) {
		if kind := src.Intn(5); kind > 0 && len(actions) > 0 {
			top := l.NotAbove(actions[src.Intn(len(actions))])
			if kind == 1 {
				top = top.Meet(l.NotAbove(actions[src.Intn(len(actions))]))
			}
			tops = append(tops, top)
		} else {
			tops = append(tops, ideals[src.Intn(len(ideals))])
		}
	}
	return tops
}

// drawDowns draws, for each top, the slices below it or those strictly below it.
func drawDowns(src santest.Source, l *slices.Lattice, tops []slices.Ideal) []slices.Set {
	var downs []slices.Set
	for _, top := range tops {
		down := l.Set(slices.Interval{Hi: top})
		if src.Intn(2) == 0 {
			down = must(down.Sometime(unbounded))
		}
		downs = append(downs, down)
	}
	return downs
}

func anyContains(sets []slices.Set, i slices.Ideal) bool {
	for _, s := range sets {
		if s.Contains(i) {
			return true
		}
	}
	return false
}

// TestDownSets compares unions of down-sets, and what is left of other sets without them, with
// enumeration.
func TestDownSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		w := newWorld(src, small)
		var actions []san.Action
		for a := range w.actions() {
			actions = append(actions, a)
		}
		downs := drawDowns(src, w.Lattice, drawTops(src, w.Lattice, actions, w.all, 8))
		first := drawDowns(src, w.Lattice, drawTops(src, w.Lattice, actions, w.all, 8))
		united := must(must(w.None().Union(unbounded, first...)).Union(unbounded, downs...))
		sets := append(first, downs...)
		in := func(i slices.Ideal) bool { return anyContains(sets, i) }
		w.expect(t, "union", united, in)
		expectNoneContained(t, w.Lattice, united)
		left := must(united.Complement(unbounded))
		w.expect(t, "complement", left, func(i slices.Ideal) bool { return !in(i) })
		expectNoneContained(t, w.Lattice, left)
		s := w.random(src, 4)
		w.expect(t, "minus", must(s.Minus(unbounded, united)),
			func(i slices.Ideal) bool { return s.Contains(i) && !in(i) })
	})
}

// expectNoneContained checks that no interval of a set contains another.
func expectNoneContained(t fault, l *slices.Lattice, s slices.Set) {
	t.Helper()
	if n := len(l.Set(s.Intervals()...).Intervals()); n != len(s.Intervals()) {
		t.Fatalf("of %d intervals only %d are not contained in others", len(s.Intervals()), n)
	}
}

// TestManyDownSets compares unions of down-sets of many tasks with those that compare each with
// each.
func TestManyDownSets(t *testing.T) {
	for seed := range int64(500) {
		rnd := rand.New(rand.NewSource(seed))
		net := santest.Generate(rnd,
			santest.Config{Tasks: 60, Steps: 80, Frames: -1, Values: -1, Joints: 40}).MustBuild()
		l := slices.NewLatticeOfMany(net)
		var actions []san.Action
		for a := range net.Order() {
			actions = append(actions, a)
		}
		downs := drawDowns(rnd, l, drawTops(rnd, l, actions, []slices.Ideal{l.Top(), l.Bottom()}, 40))
		var ivs []slices.Interval
		for _, d := range downs {
			ivs = append(ivs, d.Intervals()...)
		}
		got, want := must(l.None().Union(unbounded, downs...)), l.Set(ivs...)
		if same := must(got.Equal(unbounded, want)); !same || len(got.Intervals()) != len(want.Intervals()) {
			t.Fatalf("seed %d: %d intervals, the same slices: %v, want %d", seed, len(got.Intervals()), same,
				len(want.Intervals()))
		}
		left := must(got.Complement(unbounded))
		if left.Intersects(got) || !must(must(left.Union(unbounded, got)).Equal(unbounded, l.All())) {
			t.Fatalf("seed %d: the complement of %d intervals is another set", seed, len(got.Intervals()))
		}
	}
}

// Operations on many down-sets stop when the budget says so.
func TestDownSetsStopped(t *testing.T) {
	const n = 50
	net := independent(t, n, 3)
	l := slices.NewLattice(net)
	downs := without(l)
	all := must(l.None().Union(unbounded, downs...))
	var large *slices.IntervalsError
	if _, err := l.None().Union(slices.Budget{Intervals: n - 2}, downs...); !errors.As(err, &large) {
		t.Errorf("the union of too many: %v", err)
	}
	if _, err := all.Complement(slices.Budget{Intervals: n - 2}); !errors.As(err, &large) {
		t.Errorf("a complement with too many intervals: %v", err)
	}
	stopped := slices.Budget{Context: ended(t.Context())}
	if _, err := l.None().Union(stopped, downs...); !errors.Is(err, errEnough) {
		t.Errorf("a union that was stopped: %v", err)
	}
	if _, err := all.Complement(stopped); !errors.Is(err, errEnough) {
		t.Errorf("a complement that was stopped: %v", err)
	}
	if s, err := all.Complement(slices.Budget{Intervals: n + 1}); err != nil || len(s.Intervals()) != n+1 {
		t.Errorf("a complement of %d intervals, %v", len(s.Intervals()), err)
	}
}

// without returns, for each task, the slices strictly below the greatest one in which it lacks two
// actions.
func without(l *slices.Lattice) []slices.Set {
	var downs []slices.Set
	for t := range san.Task(l.Net().Tasks()) {
		top := l.NotAbove(san.Action{Task: t, K: int32(l.Net().Len(t) - 1)})
		downs = append(downs, must(l.Set(slices.Interval{Hi: top}).Sometime(unbounded)))
	}
	return downs
}

// BenchmarkDownSets unites a down-set for each of thousands of tasks, and takes all of them away.
func BenchmarkDownSets(b *testing.B) {
	l := slices.NewLattice(independent(b, 10_000, 10))
	downs := without(l)
	all := must(l.None().Union(unbounded, downs...))
	b.Run("union", func(b *testing.B) {
		for b.Loop() {
			must(l.None().Union(unbounded, downs...))
		}
	})
	b.Run("complement", func(b *testing.B) {
		for b.Loop() {
			must(all.Complement(unbounded))
		}
	})
}
