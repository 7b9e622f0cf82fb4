package builtin

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
)

// Unlocks of what can be unlocked, against all slices of random runs.
func TestUnlockAgainstSlices(t *testing.T) {
	found := map[bool]int{}
	enough := func() bool { return found[true] > 0 && (testing.Short() || found[false] > 0) }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		reading := rapid.Bool().Draw(t, "reading")
		r := randomSections(t, reading)
		got := r.findings(Unlock)
		want := r.firstUnlock(reading)
		if (len(got) > 0) != want {
			t.Fatalf("found %v, want one: %v", placesOf(got), want)
		}
		if want {
			found[reading]++
		}
	})
	if !enough() {
		t.Errorf("runs with such an unlock: %v", found)
	}
}

// firstUnlock reports whether some slice has an unlock next and no lock that it undoes.
func (r *netRun) firstUnlock(reading bool) bool {
	lock, unlock := op.Lock, op.Unlock
	if reading {
		lock, unlock = op.RLock, op.RUnlock
	}
	can := false
	r.slices(func(in bits) {
		sum := r.count(in, lock, unlock)
		for i := range r.ops {
			can = can || r.ops[i].Kind == unlock && r.next(in, i) && sum == 0
		}
	})
	return can
}

// count returns how many more operations of kind up than of kind down are in the slice.
func (r *netRun) count(in bits, up, down op.Kind) int64 {
	sum := int64(0)
	for i := range r.ops {
		n := int64(1)
		if r.ops[i].Arg != 0 {
			n = max(r.ops[i].Arg, -r.ops[i].Arg)
		}
		switch {
		case !in.has(i):
		case r.ops[i].Kind == up:
			sum += n
		case r.ops[i].Kind == down:
			sum -= n
		}
	}
	return sum
}

// randomSections returns a run on a lock, in which also others than who locked it unlock it.
func randomSections(t *rapid.T, reading bool) *netRun {
	r := newNetRun()
	locked := 0
	lock, unlock := op.Lock, op.Unlock
	if reading {
		lock, unlock = op.RLock, op.RUnlock
	}
	var unlocked bits
	r.random(t, 3, moves{
		"lock": func(t *rapid.T, task op.Task) bool {
			if locked > 0 && !reading {
				return false
			}
			locked++
			learnt := unlocked
			if reading {
				learnt = 0
			}
			r.do(op.Op{Kind: lock, Task: task, Object: 1}, learnt)
			return true
		},
		"unlock": func(t *rapid.T, task op.Task) bool {
			if locked == 0 {
				return false
			}
			locked--
			unlocked = r.do(op.Op{Kind: unlock, Task: task, Object: 1}, 0)
			return true
		},
	})
	return r
}

// A lock may be handed to another task that unlocks it, if that is recorded.
func TestUnlockByAnother(t *testing.T) {
	for _, told := range []bool{true, false} {
		r := newNetRun()
		r.do(op.Op{Kind: op.Lock, Task: 0, Object: 1}, 0)
		if told {
			r.do(op.Op{Kind: op.Handoff, Task: 0, Other: 1, Object: 2}, 0)
		}
		r.do(op.Op{Kind: op.Unlock, Task: 1, Object: 1}, 0)
		if got := r.findings(Unlock); (len(got) == 0) != told {
			t.Errorf("told %v: %v", told, slices.Collect(slices.Values(got)))
		}
	}
}
