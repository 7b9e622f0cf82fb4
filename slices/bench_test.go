package slices_test

import (
	"math/rand"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// large returns a lattice of 20 tasks with about 50 events each, too many slices to enumerate.
func large(seed int64) (*slices.Lattice, *rand.Rand) {
	rnd := rand.New(rand.NewSource(seed))
	for {
		tr := santest.Generate(rnd,
			santest.Config{Tasks: 20, Spawns: -1, Steps: 1000, Frames: -1, Values: -1, Causes: 10, Joints: 10,
				Ends: -1})
		if len(tr.Header.Tasks) == 20 && len(tr.Events) > 900 {
			return slices.NewLattice(tr.MustBuild()), rnd
		}
	}
}

// atoms returns the slices in which some random local states of one task lie.
func atoms(l *slices.Lattice, rnd *rand.Rand, t san.Task, runs int) slices.Set {
	var ivs []slices.Interval
	for range runs {
		k := rnd.Intn(l.Net().Len(t) + 1)
		ivs = append(ivs, l.Containing(t, k, min(k+rnd.Intn(4), l.Net().Len(t))))
	}
	return l.Set(ivs...)
}

// pairs returns slices in which two tasks are in certain local states: a union of
// conjunctions of two atoms.
func pairs(l *slices.Lattice, rnd *rand.Rand, runs int, distance san.Task) slices.Set {
	var s slices.Set
	for u := range san.Task(20) {
		s = must(s.Union(unbounded,
			must(atoms(l, rnd, u, runs).Intersect(unbounded, atoms(l, rnd, (u+distance)%20, runs)))))
	}
	return s
}

// TestLarge runs operations on sets of many intervals, with laws that hold for all sets in
// place of enumeration. Differences get few intervals: the complement of a union of k
// intervals can need a number exponential in k.
func TestLarge(t *testing.T) {
	l, rnd := large(1)
	p, q := pairs(l, rnd, 1, 1), pairs(l, rnd, 1, 7)
	for what, sub := range map[string][2]slices.Set{
		"next ⊆ until":     {must(q.Next(unbounded)), must(l.Until(unbounded, p, q, l.All()))},
		"until ⊆ sometime": {must(l.Until(unbounded, p, q, l.All())), must(q.Sometime(unbounded))},
		"s∩o ⊆ s":          {must(p.Intersect(unbounded, q)), p},
		"s\\o ⊆ s":         {must(p.Minus(unbounded, q)), p},
		"s ⊆ (s\\o) ∪ o":   {p, must(must(p.Minus(unbounded, q)).Union(unbounded, q))},
		"next ⊆ sometime":  {must(q.Next(unbounded)), must(q.Sometime(unbounded))},
	} {
		if ok, i, err := sub[0].SubsetOf(unbounded, sub[1]); !ok || err != nil {
			t.Errorf("not %s: %v", what, i)
		}
	}
	if must(p.Minus(unbounded, q)).Intersects(q) {
		t.Error("s\\o meets o")
	}
	if _, ok := l.Count(100000); ok {
		t.Error("there are few slices")
	}
}

func BenchmarkSet(b *testing.B) {
	l, rnd := large(1)
	p, q := pairs(l, rnd, 3, 1), pairs(l, rnd, 3, 7)
	few, others := pairs(l, rnd, 1, 1), pairs(l, rnd, 1, 7)
	one := atoms(l, rnd, 3, 10)
	for _, op := range []struct {
		name string
		do   func() slices.Set
	}{
		{"intersect", func() slices.Set { return must(p.Intersect(unbounded, q)) }},
		{"minus", func() slices.Set { return must(few.Minus(unbounded, others)) }},
		{"next", func() slices.Set { return must(p.Next(unbounded)) }},
		{"sometime", func() slices.Set { return must(p.Sometime(unbounded)) }},
		{"until", func() slices.Set { return must(l.Until(unbounded, few, q, l.All())) }},
		{"complement of one task", func() slices.Set { return must(one.Complement(unbounded)) }},
	} {
		b.Run(op.name, func(b *testing.B) {
			var s slices.Set
			for b.Loop() {
				s = op.do()
			}
			b.ReportMetric(float64(len(s.Intervals())), "intervals")
		})
	}
}

func BenchmarkSchedule(b *testing.B) {
	l, _ := large(1)
	for b.Loop() {
		l.Schedule(l.Bottom(), l.Top())
	}
}
