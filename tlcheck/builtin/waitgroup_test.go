package builtin

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Counters that can become negative, and Adds from zero that no Wait comes before or after, against
// all slices of random runs.
func TestWaitGroupAgainstSlices(t *testing.T) {
	negatives, fromZero := 0, 0
	one := func(t *rapid.T) {
		r := randomWaitGroup(t)
		var gotNegative bool
		var got [][]op.Place
		for _, f := range r.findings(WaitGroup) {
			if f.Parties[0].Kind == op.Done {
				gotNegative = true
			} else {
				got = append(got, []op.Place{f.Parties[0].At, f.Parties[1].At})
			}
		}
		wantNegative := r.canBeNegative()
		if gotNegative != wantNegative {
			t.Fatalf("negative: %v, want %v", gotNegative, wantNegative)
		}
		if wantNegative {
			negatives++
			return // what is zero is not defined then
		}
		want := r.addsFromZero()
		slices.SortFunc(got, slices.Compare)
		if r.usedAgain() {
			want = slices.DeleteFunc(want, func(ps []op.Place) bool {
				return !slices.ContainsFunc(got, func(qs []op.Place) bool { return slices.Equal(ps, qs) })
			})
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("adds from zero %v, want %v", got, want)
		}
		fromZero += len(want)
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 30 {
			one(t)
		}
	})
	if negatives == 0 || fromZero == 0 {
		t.Errorf("%d counters can become negative, %d Adds start from zero", negatives, fromZero)
	}
}

func (r *netRun) canBeNegative() bool {
	negative := false
	r.slices(func(in bits) { negative = negative || r.count(in, op.Add, op.Done) < 0 })
	return negative
}

// addsFromZero returns the places of each Add and Wait such that in some slice the counter is 0,
// the Add is next, and the task of the Wait has come there, where the Add comes neither before it
// came there nor after the Wait.
func (r *netRun) addsFromZero() [][]op.Place {
	var all [][]op.Place
	for a := range r.ops {
		for w := range r.ops {
			if r.ops[a].Kind != op.Add || r.ops[w].Kind != op.Wait || r.begin[w].has(a) || r.before[a].has(w) {
				continue
			}
			can := false
			r.slices(func(in bits) {
				can = can || r.next(in, a) && r.begin[w]&^in == 0 && r.count(in, op.Add, op.Done) == 0
			})
			if can {
				all = append(all, []op.Place{r.ops[a].At, r.ops[w].At})
			}
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// usedAgain reports whether the counter has left zero behind a Wait: then what was before is
// forgotten.
func (r *netRun) usedAgain() bool {
	waited := false
	for i := range r.ops {
		waited = waited || r.ops[i].Kind == op.Wait
		if waited && r.ops[i].Kind == op.Add && r.count(1<<i-1, op.Add, op.Done) == 0 {
			return true
		}
	}
	return false
}

// randomWaitGroup returns a run on a WaitGroup.
func randomWaitGroup(t *rapid.T) *netRun {
	r := newNetRun()
	sum, done := int64(0), bits(0)
	n := rapid.Custom(func(t *rapid.T) int64 { return rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "n") })
	r.random(t, 3, moves{
		"add": func(t *rapid.T, task op.Task) bool {
			n := n.Draw(t, "add")
			sum += n
			r.do(op.Op{Kind: op.Add, Task: task, Object: 1, Arg: n}, 0)
			return true
		},
		"done": func(t *rapid.T, task op.Task) bool {
			n := n.Draw(t, "done")
			if sum < n {
				return false
			}
			sum -= n
			done |= r.do(op.Op{Kind: op.Done, Task: task, Object: 1, Arg: -n}, 0)
			return true
		},
		"wait": func(t *rapid.T, task op.Task) bool {
			if sum > 0 {
				return false
			}
			r.do(op.Op{Kind: op.Wait, Task: task, Object: 1}, done)
			return true
		},
	})
	return r
}

// Candidates, where critical sections order all operations of a run, against all slices of the run
// without that order.
func TestWaitGroupCandidatesAgainstSlices(t *testing.T) {
	negatives, fromZero := 0, 0
	one := func(t *rapid.T) {
		r := randomWaitGroup(t)
		var gotNegative bool
		var got [][]op.Place
		for _, f := range r.candidates(t, WaitGroup) {
			if f.How != Possible || !f.Sectioned || f.Count != 1 {
				t.Fatalf("%s: %v", f.Text, f.How)
			}
			if f.Parties[0].Kind == op.Done {
				gotNegative = true
			} else {
				got = append(got, []op.Place{f.Parties[0].At, f.Parties[1].At})
			}
		}
		wantNegative := r.canBeNegative()
		if gotNegative != wantNegative {
			t.Fatalf("negative: %v, want %v", gotNegative, wantNegative)
		}
		if wantNegative {
			negatives++
			return // what is zero is not defined then
		}
		want := slices.DeleteFunc(r.addsFromZero(), func(ps []op.Place) bool { return ps[0] > ps[1] })
		slices.SortFunc(got, slices.Compare)
		if r.usedAgain() {
			want = slices.DeleteFunc(want, func(ps []op.Place) bool {
				return !slices.ContainsFunc(got, func(qs []op.Place) bool { return slices.Equal(ps, qs) })
			})
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("adds from zero %v, want %v", got, want)
		}
		fromZero += len(want)
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 30 {
			one(t)
		}
	})
	if negatives == 0 || fromZero == 0 {
		t.Errorf("%d counters can become negative, %d Adds start from zero", negatives, fromZero)
	}
}

// candidates returns those of a detector of the run, in which sections order all operations. So
// nothing is found.
func (r *netRun) candidates(t *rapid.T, p Property) []Finding {
	c := checkerOf(p)
	c.LacksAccesses()
	for i := range r.ops {
		o := r.ops[i]
		o.Before = o.Begin
		o.Full = r.clock(1<<i-1, o.Task)
		o.Begin = o.Full
		c.Op(&o)
	}
	found := c.Findings(testNames{})
	if len(found) > 0 {
		t.Fatalf("found %s", found[0].Text)
	}
	return c.Candidates(testNames{}, found)
}

// An addition that came in the first section of the run has the section in the order of its
// candidate, though sections had no part in what came before it.
func TestWaitGroupCandidateInSection(t *testing.T) {
	var none *clock.Clock
	section := none.With(1, 3)
	c := checkerOf(WaitGroup)
	c.LacksAccesses()
	for _, o := range []op.Op{
		{Kind: op.Lock, Task: 1, K: 1, Object: 2},
		{Kind: op.Add, Task: 1, K: 2, Object: 1, Arg: 1},
		{Kind: op.Unlock, Task: 1, K: 3, Object: 2},
		{Kind: op.Lock, Task: 0, K: 1, Object: 2, Full: section},
		{Kind: op.Unlock, Task: 0, K: 2, Object: 2, Full: section},
		{Kind: op.Done, Task: 0, K: 3, Object: 1, Arg: -1, Full: section, Begin: section},
	} {
		c.Op(&o)
	}
	found := c.Candidates(testNames{}, c.Findings(testNames{}))
	if len(found) != 1 {
		t.Fatalf("%d candidates", len(found))
	}
	isLock := func(s op.Step) bool { return s.Kind == op.Lock && s.Task == 1 }
	if !slices.ContainsFunc(found[0].Schedule, isLock) {
		t.Errorf("the section of the addition is missing: %v", found[0].Schedule)
	}
}
