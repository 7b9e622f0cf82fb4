package deadlock

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// asking asks a detector after some operations what is certain.
type asking struct {
	kindFilter
	t    *rapid.T
	told []Cycle
}

func (a *asking) Op(o *op.Op) {
	a.kindFilter.Op(o)
	if rapid.IntRange(0, 3).Draw(a.t, "asks") == 0 {
		a.told = append(a.told, a.Certain()...)
	}
}

// isAmong reports whether a deadlock is one of others. Of those that happened each has its own
// tasks, in perhaps several cycles.
func isAmong(c *Cycle, all []Cycle) bool {
	return slices.ContainsFunc(all, func(other Cycle) bool {
		if c.Observed != other.Observed {
			return false
		}
		shared := 0
		for _, p := range c.Parties {
			if slices.ContainsFunc(other.Parties, func(q Party) bool { return p.Task == q.Task && p.At == q.At }) {
				shared++
			}
		}
		return shared == len(c.Parties) && shared == len(other.Parties) || c.Observed && shared > 0
	})
}

// What is certain is found at the end too, and deadlocks on locks that happen are certain as soon
// as they have.
func TestCertain(t *testing.T) {
	observed, predicted, atEnd := 0, 0, 0
	enough := func() bool { return testing.Short() || observed > 0 && predicted > 0 && atEnd > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for _, kinds := range [][]op.Kind{lockKinds, mixedKinds, onceKinds} {
			p := randomProgram(t, kinds, rapid.IntRange(0, 9).Draw(t, "orphans") == 0)
			run := p.run(t)
			d, a := New(), &asking{t: t}
			a.kindFilter = kindFilter{d}
			p.observe(a, run)
			plain := New()
			p.observe(kindFilter{plain}, run)
			end, told := plain.Cycles(), append(a.told, d.Certain()...)
			for _, c := range told {
				if !isAmong(&c, end) {
					t.Fatalf("certain: %+v\nat the end: %+v\n%s%v", c.Parties, end, p, run)
				}
				if c.Observed {
					observed++
				} else {
					predicted++
				}
			}
			for _, c := range end {
				onLocks := !slices.ContainsFunc(c.Parties, func(p Party) bool { return p.Kind != op.Lock })
				switch {
				case isAmong(&c, told):
				case c.Observed && onLocks:
					t.Fatalf("not certain: %+v\n%s%v", c.Parties, p, run)
				default:
					atEnd++
				}
			}
		}
	})
	t.Logf("%d observed and %d predicted are certain before the end, %d only then", observed, predicted, atEnd)
	if !enough() {
		t.Error("too few of a kind")
	}
}

// A reader whom a writer has let in says so later. Until then it seems to wait behind the next
// writer, and another reader for it.
func TestLetIn(t *testing.T) {
	d := New()
	k := map[op.Task]int32{}
	told := func(task op.Task, kind, want op.Kind, lock int) {
		k[task]++
		d.Op(&op.Op{Kind: kind, Want: want, Task: task, K: k[task], At: op.Place(100*int(task) + int(k[task])), Object: lockObject(lock), Other: op.NoTask})
		if found := d.Certain(); len(found) > 0 {
			t.Errorf("%v of task %d: %+v", kind, task, found)
		}
	}
	const a, b, c, e, m, l = 1, 2, 3, 4, 0, 1
	told(a, op.Lock, op.None, m)
	told(b, op.Lock, op.None, l)
	told(a, op.Block, op.RLock, l)
	told(e, op.Block, op.RLock, l)
	told(c, op.Block, op.Lock, l)
	told(b, op.Unlock, op.None, l) // lets a and e in
	told(e, op.RLock, op.None, l)
	told(e, op.Block, op.Lock, m)
	told(a, op.RLock, op.None, l)
	told(a, op.RUnlock, op.None, l)
	told(a, op.Unlock, op.None, m)
	told(e, op.Lock, op.None, m)
}

// A deadlock of locks is reported with the same locks while the run goes on and at its end, when a
// channel that was used as a lock may have turned out to be none.
func TestHeldLocksStay(t *testing.T) {
	const a, b, c = 1, 2, 3
	lock := func(task op.Task, k int32, o op.Object) op.Op {
		return op.Op{Kind: op.Lock, Task: task, K: k, Object: o}
	}
	waits := func(task op.Task, k int32, o op.Object) op.Op {
		return op.Op{Kind: op.Block, Want: op.Lock, Task: task, K: k, Object: o}
	}
	ops := []op.Op{
		{Kind: op.MakeChan, K: 1, Object: c, Arg: 1},
		{Kind: op.Send, K: 2, Object: c, Locking: true},
		lock(0, 3, a), lock(1, 1, b), waits(0, 4, b), waits(1, 2, a),
	}
	d := New()
	for i := range ops {
		d.Op(&ops[i])
	}
	early := d.Certain()
	d.Op(&op.Op{Kind: op.Recv, Task: 2, K: 1, Object: c}) // what another task sent: c is no lock
	late := d.Cycles()
	if len(early) != 1 || len(late) == 0 || !late[0].Observed {
		t.Fatalf("%d early, %d late", len(early), len(late))
	}
	for i := range early[0].Parties {
		if one, other := early[0].Parties[i].Held, late[0].Parties[i].Held; len(one) != 1 || !slices.Equal(one, other) {
			t.Errorf("held early %v, late %v", one, other)
		}
	}
}
