package slices_test

import (
	"math/rand"
	stdslices "slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/slicestest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// fault is what the comparisons report to.
type fault interface {
	Helper()
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// world is a lattice with all its slices, found by trying every vector of local states.
type world struct {
	*slices.Lattice
	trace santest.Trace
	all   []slices.Ideal
}

var small = santest.Config{Tasks: 3, Spawns: 2, Steps: 8, Frames: -1, Values: -1}

func newWorld(src santest.Source, c santest.Config) *world {
	tr := santest.Generate(src, c)
	lattice := slices.NewLattice
	if src.Intn(2) == 0 {
		lattice = slices.NewLatticeOfMany
	}
	w := &world{Lattice: lattice(tr.MustBuild()), trace: tr}
	w.enumerate()
	return w
}

// enumerate finds all slices.
func (w *world) enumerate() {
	counts := make([]int, w.Net().Tasks())
	var try func(t int)
	try = func(t int) {
		if t == len(counts) {
			if i, ok := w.Ideal(counts); ok {
				w.all = append(w.all, i)
			}
			return
		}
		for k := range w.Net().Len(san.Task(t)) + 1 {
			counts[t] = k
			try(t + 1)
		}
	}
	try(0)
}

// closed is the definition of an ideal: all that precedes an action of it is in it, and so are the
// other sides of a joint action.
func (w *world) closed(i slices.Ideal) bool {
	n := w.Net()
	for a := range w.actions() {
		for b := range w.actions() {
			if i.Has(b) && !i.Has(a) && (n.Precedes(a, b) || n.Same(a, b)) {
				return false
			}
		}
	}
	return true
}

// actions yields every event of the net.
func (w *world) actions() func(func(san.Action) bool) {
	return func(yield func(san.Action) bool) {
		for t := range san.Task(w.Net().Tasks()) {
			for k := range w.Net().Len(t) {
				if !yield(san.Action{Task: t, K: int32(k + 1)}) {
					return
				}
			}
		}
	}
}

func below(i, j slices.Ideal) bool { return i.Leq(j) && !i.Equal(j) }

// succeeds reports whether j is an immediate successor of i: nothing lies between.
func (w *world) succeeds(i, j slices.Ideal) bool {
	if !below(i, j) {
		return false
	}
	for _, k := range w.all {
		if below(i, k) && below(k, j) {
			return false
		}
	}
	return true
}

func (w *world) set(keep func(slices.Ideal) bool) map[string]bool {
	set := make(map[string]bool)
	for _, i := range w.all {
		if keep(i) {
			set[i.String()] = true
		}
	}
	return set
}

// expect checks that s has exactly the slices that want accepts.
func (w *world) expect(t fault, what string, s slices.Set, want func(slices.Ideal) bool) {
	t.Helper()
	n := 0
	for _, i := range w.all {
		if s.Contains(i) != want(i) {
			t.Logf("%s", w.trace)
			t.Fatalf("%s: contains %v: %v, want %v", what, i, s.Contains(i), want(i))
		}
		if want(i) {
			n++
		}
	}
	if s.IsEmpty() != (n == 0) {
		t.Fatalf("%s: empty is %v with %d slices", what, s.IsEmpty(), n)
	}
	for _, iv := range s.Intervals() {
		if !iv.Lo.Leq(iv.Hi) || !w.closed(iv.Lo) || !w.closed(iv.Hi) {
			t.Fatalf("%s: %v-%v is no interval", what, iv.Lo, iv.Hi)
		}
	}
	if got, ok := s.Count(len(w.all)); got != n || !ok {
		t.Fatalf("%s: count is %d, %v, want %d", what, got, ok, n)
	}
	w.expectLeast(t, what, s)
}

func (w *world) expectLeast(t fault, what string, s slices.Set) {
	t.Helper()
	least, ok := s.Least()
	greatest, also := s.Greatest()
	if ok == s.IsEmpty() || ok && !s.Contains(least) || also != ok || ok && !s.Contains(greatest) {
		t.Fatalf("%s: least is %v, %v, greatest %v, %v", what, least, ok, greatest, also)
	}
	for _, i := range w.all {
		if !s.Contains(i) {
			continue
		}
		if i.Size() < least.Size() || i.Size() == least.Size() && i.Before(least) {
			t.Fatalf("%s: least is %v, but %v is less", what, least, i)
		}
		if i.Size() > greatest.Size() || i.Size() == greatest.Size() && i.Before(greatest) {
			t.Fatalf("%s: greatest is %v, but %v is greater", what, greatest, i)
		}
	}
}

// random draws a union of up to n intervals, or what temporal operators make of one.
func (w *world) random(src santest.Source, n int) slices.Set {
	s := w.intervals(src, n)
	for src.Intn(3) == 0 {
		switch src.Intn(4) {
		case 0:
			s = must(s.Next(unbounded))
		case 1:
			s = must(s.Sometime(unbounded))
		case 2:
			s = must(s.Intersect(unbounded, must(w.intervals(src, n).Next(unbounded))))
		case 3:
			s = must(s.Minus(unbounded, must(w.intervals(src, n).Sometime(unbounded))))
		}
	}
	return s
}

func (w *world) intervals(src santest.Source, n int) slices.Set {
	var ivs []slices.Interval
	for range src.Intn(n + 1) {
		i, j := w.all[src.Intn(len(w.all))], w.all[src.Intn(len(w.all))]
		ivs = append(ivs, slices.Interval{Lo: i.Meet(j), Hi: i.Join(j)})
	}
	return w.Set(ivs...)
}

// TestSlices compares the slices with their definition and single slices with each other.
func TestSlices(t *testing.T) {
	for seed := range int64(300) {
		w := newWorld(rand.New(rand.NewSource(seed)), small)
		w.checkSlices(t)
		w.checkActions(t)
		w.checkGraph(t)
	}
}

func (w *world) checkSlices(t fault) {
	t.Helper()
	for _, i := range w.all {
		if !w.closed(i) {
			t.Fatalf("%v is not closed", i)
		}
		size := make(map[san.Action]bool)
		for a := range w.actions() {
			if i.Has(a) {
				size[w.Net().Canonical(a)] = true
			}
		}
		if i.Size() != len(size) {
			t.Fatalf("size of %v is %d, want %d", i, i.Size(), len(size))
		}
		for _, j := range w.all {
			up, down := i.Join(j), i.Meet(j)
			for a := range w.actions() {
				if up.Has(a) != (i.Has(a) || j.Has(a)) || down.Has(a) != (i.Has(a) && j.Has(a)) {
					t.Fatalf("%v and %v: join %v, meet %v", i, j, up, down)
				}
			}
			if !w.closed(up) || !w.closed(down) || i.Leq(j) != up.Equal(j) || i.Leq(j) != down.Equal(i) {
				t.Fatalf("%v ⊆ %v is %v", i, j, i.Leq(j))
			}
		}
	}
}

func (w *world) checkActions(t fault) {
	t.Helper()
	n := w.Net()
	for a := range w.actions() {
		down, outside := w.Down(a), w.NotAbove(a)
		for b := range w.actions() {
			if down.Has(b) != (n.Same(a, b) || n.Precedes(b, a)) ||
				outside.Has(b) == (n.Same(a, b) || n.Precedes(a, b)) {
				t.Fatalf("↓%v is %v, outside of ↑ is %v", a, down, outside)
			}
		}
	}
	w.checkOrder(t)
	for _, i := range w.all {
		enabled, maximal := make(map[san.Action]bool), make(map[san.Action]bool)
		for _, a := range w.Enabled(i) {
			enabled[a] = true
			if j := w.Fire(i, a); !w.succeeds(i, j) || !j.Has(a) {
				t.Fatalf("%v fired in %v gives %v", a, i, j)
			}
		}
		for _, a := range w.Maximal(i) {
			maximal[a] = true
		}
		for a := range w.actions() {
			first, last := !i.Has(a), i.Has(a)
			for b := range w.actions() {
				first = first && (i.Has(b) || !n.Precedes(b, a))
				last = last && (!i.Has(b) || !n.Precedes(a, b))
			}
			if c := n.Canonical(a); enabled[c] != first || maximal[c] != last {
				t.Logf("%s", w.trace)
				t.Fatalf("%v in %v: enabled %v, want %v; maximal %v, want %v", a, i, enabled[c], first, maximal[c],
					last)
			}
		}
	}
}

// checkOrder compares what is said of slices that were made of single actions, in any order, with
// what is said of those that were counted.
func (w *world) checkOrder(t fault) {
	t.Helper()
	for a := range w.actions() {
		for b := range w.actions() {
			for _, i := range []slices.Ideal{w.Down(a).Join(w.Down(b)), w.NotAbove(a).Meet(w.NotAbove(b))} {
				if want := w.EnabledAt(i.At, nil); !stdslices.Equal(w.Enabled(i), want) {
					t.Fatalf("%v of %v and %v: enabled are %v, want %v", i, a, b, w.Enabled(i), want)
				}
				counts := make([]int, w.Net().Tasks())
				for task := range counts {
					counts[task] = i.At(san.Task(task))
				}
				counted, _ := w.Ideal(counts)
				if want := w.Maximal(counted); !stdslices.Equal(w.Maximal(i), want) {
					t.Fatalf("%v of %v and %v: maximal are %v, want %v", i, a, b, w.Maximal(i), want)
				}
			}
		}
	}
}

func (w *world) checkGraph(t fault) {
	t.Helper()
	g, ok := slicestest.Enumerate(w.Lattice, len(w.all))
	if !ok || g.Len() != len(w.all) {
		t.Fatalf("enumeration found %v, want %d slices", ok, len(w.all))
	}
	if _, ok := slicestest.Enumerate(w.Lattice, len(w.all)-1); ok {
		t.Fatalf("enumeration beyond its limit")
	}
	for n := range g.Len() {
		i := g.Slice(n)
		if m, ok := g.Index(i); !ok || m != n {
			t.Fatalf("slice %d has index %d, %v", n, m, ok)
		}
		successors := make(map[int]bool)
		for _, m := range g.Successors(n) {
			successors[m] = true
		}
		for m := range g.Len() {
			j := g.Slice(m)
			if g.Above(n).Test(uint(m)) != below(i, j) || successors[m] != w.succeeds(i, j) || below(i, j) && m <= n {
				t.Fatalf("slices %d %v and %d %v: above %v, successor %v", n, i, m, j, g.Above(n).Test(uint(m)),
					successors[m])
			}
		}
	}
}

// TestSetAlgebra compares each row of the table in docs/slice-sets.md with enumeration.
func TestSetAlgebra(t *testing.T) {
	for seed := range int64(4000) {
		rnd := rand.New(rand.NewSource(seed))
		w := newWorld(rnd, small)
		w.checkAlgebra(t, w.random(rnd, 4), w.random(rnd, 4))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestSetAlgebraShrinks is the same under rapid, whose counterexamples are small.
func TestSetAlgebraShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		w := newWorld(src, small)
		w.checkAlgebra(t, w.random(src, 3), w.random(src, 3))
	})
}

func (w *world) checkAlgebra(t fault, s, o slices.Set) {
	t.Helper()
	in, also := w.set(s.Contains), w.set(o.Contains)
	w.expect(t, "itself", s, func(i slices.Ideal) bool { return in[i.String()] })
	w.expect(t, "plain", must(s.WithoutRanks(unbounded)), func(i slices.Ideal) bool { return in[i.String()] })
	w.expect(t, "union", must(s.Union(unbounded, o)),
		func(i slices.Ideal) bool { return in[i.String()] || also[i.String()] })
	w.expect(t, "intersection", must(s.Intersect(unbounded, o)),
		func(i slices.Ideal) bool { return in[i.String()] && also[i.String()] })
	w.expect(t, "difference", must(s.Minus(unbounded, o)),
		func(i slices.Ideal) bool { return in[i.String()] && !also[i.String()] })
	w.expect(t, "complement", must(s.Complement(unbounded)), func(i slices.Ideal) bool { return !in[i.String()] })
	w.expect(t, "sometime", must(s.Sometime(unbounded)), func(i slices.Ideal) bool {
		return w.some(func(j slices.Ideal) bool { return below(i, j) && in[j.String()] })
	})
	w.expect(t, "eventually", must(s.Eventually(unbounded)), func(i slices.Ideal) bool {
		return w.some(func(j slices.Ideal) bool { return i.Leq(j) && in[j.String()] })
	})
	for _, i := range w.all {
		at := s.Reachable(i, false)
		above := s.Reachable(i, true)
		if at != w.some(func(j slices.Ideal) bool { return i.Leq(j) && in[j.String()] }) ||
			above != must(s.Sometime(unbounded)).Contains(i) {
			t.Fatalf("reachable from %v: %v, strictly %v", i, at, above)
		}
	}
	w.expect(t, "next", must(s.Next(unbounded)), func(i slices.Ideal) bool {
		return w.some(func(j slices.Ideal) bool { return in[j.String()] && w.succeeds(i, j) })
	})
	w.expect(t, "until", must(w.Until(unbounded, s, o, w.All())), func(i slices.Ideal) bool {
		return w.some(func(j slices.Ideal) bool {
			return below(i, j) && also[j.String()] &&
				!w.some(func(k slices.Ideal) bool { return in[k.String()] && below(i, k) && below(k, j) })
		})
	})
	near := must(must(w.Until(unbounded, s, o, o)).Intersect(unbounded, o))
	far := must(must(w.Until(unbounded, s, o, w.All())).Intersect(unbounded, o))
	if !must(near.Equal(unbounded, far)) {
		t.Fatalf("until in a region is %v, want %v", near.Intervals(), far.Intervals())
	}
	top := w.Top().Size()
	least, most := top/3, 2*top/3
	for _, i := range w.all {
		if n := i.Size(); in[i.String()] && least <= n && n <= most && !s.WithRanks(least, most).Contains(i) {
			t.Fatalf("%v has %d actions, and is left out of those from %d to %d", i, n, least, most)
		}
	}
	common := w.some(func(i slices.Ideal) bool { return in[i.String()] && also[i.String()] })
	if s.Intersects(o) != common {
		t.Fatalf("intersects is %v", s.Intersects(o))
	}
	outside := w.some(func(i slices.Ideal) bool { return in[i.String()] && !also[i.String()] })
	if sub, i, err := s.SubsetOf(unbounded, o); err != nil || sub == outside || !sub &&
		(!in[i.String()] || also[i.String()]) {
		t.Fatalf("subset is %v, %v", sub, i)
	}
	equal := must(s.Equal(unbounded, o))
	if equal != (len(in) == len(also) && !outside) ||
		!must(s.Equal(unbounded, must(must(s.Complement(unbounded)).Complement(unbounded)))) {
		t.Fatalf("equal is %v", equal)
	}
}

func (w *world) some(holds func(slices.Ideal) bool) bool {
	for _, i := range w.all {
		if holds(i) {
			return true
		}
	}
	return false
}

// TestContaining compares the slices that contain local states with their definition.
func TestContaining(t *testing.T) {
	for seed := range int64(300) {
		w := newWorld(rand.New(rand.NewSource(seed)), small)
		for u := range san.Task(w.Net().Tasks()) {
			created := func(i slices.Ideal) bool {
				a, ok := w.Net().SpawnedBy(u)
				return !ok || i.Has(a)
			}
			w.expect(t, "uncreated", w.Uncreated(u), func(i slices.Ideal) bool { return !created(i) })
			for from := range w.Net().Len(u) + 1 {
				for to := from; to <= w.Net().Len(u); to++ {
					w.expect(t, "containing", w.Set(w.Containing(u, from, to)), func(i slices.Ideal) bool {
						return created(i) == w.Created(i, u) && created(i) && from <= i.At(u) && i.At(u) <= to
					})
					for v := range u { // what is open above, or below, is not all
						k := min(from, w.Net().Len(v))
						both := must(w.Set(w.Containing(u, from, to)).Intersect(unbounded,
							w.Set(w.Containing(v, k, w.Net().Len(v)))))
						w.expect(t, "containing both", both, func(i slices.Ideal) bool {
							return created(i) && from <= i.At(u) && i.At(u) <= to && w.Created(i, v) && k <= i.At(v)
						})
					}
				}
			}
		}
	}
}
