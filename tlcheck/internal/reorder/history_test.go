package reorder

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// readsAhead is closure.readsAhead: a task may have read in a cut what a task writes at the
// moment of its point.
func readsAhead(r *Run, c Cut, now int, events ...int) bool {
	done := func(t int) int32 {
		if c[t] == 0 {
			return 0
		}
		return r.Events[r.Of[t][c[t]-1]].K
	}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Kind != op.Read || e.Writer < 0 || i >= now {
			continue
		}
		w := &r.Events[e.Writer]
		if w.Task == e.Task || done(e.Task) < e.K {
			continue
		}
		for _, at := range events {
			p := pointBefore(r, at)
			if p.Task != op.Task(w.Task) || p.Done != w.K {
				continue
			}
			known := true
			for _, other := range events {
				if q := pointBefore(r, other); q.Task == op.Task(e.Task) && q.Done == e.K {
					known = knowsAll(r, q.Data, i)
				}
			}
			if known {
				return true
			}
		}
	}
	return false
}

// knowsAll reports whether a clock has the operations that come before an event, of other tasks.
func knowsAll(r *Run, c *clock.Clock, i int) bool {
	seen := r.Clock(r.Events[i].Data)
	for t := range r.Of {
		if t != r.Events[i].Task && c.At(int32(t)) < seen.At(int32(t)) {
			return false
		}
	}
	return true
}

// What a history answers about pairs of points, while the run goes on, is true of all correct
// orders, and is found if there is a correct prefix in the order of the run.
func TestPrefixes(t *testing.T) {
	found, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := Execute(t, DrawProgram(t))
		reached := r.Reached()
		h := New()
		for now := range r.Events {
			tell(h, r, now)
			for before := range now {
				if r.Events[now].Task == r.Events[before].Task {
					continue
				}
				if e := &r.Events[now]; e.IsAccess() { // reads have been reported before
					h.Op(&op.Op{
						Kind: op.Conflict, Want: e.Kind, Task: op.Task(e.Task), Address: uint64(e.Obj+1) * 8,
						Access: op.Access{Sectioned: true, Moment: e.K},
					})
				}
				prefix := h.Prefix(pointBefore(r, before), pointBefore(r, now))
				if prefix != nil {
					found++
					if err := prefix.Verify(); err != nil {
						t.Fatalf("%v\n%v and %v: %v", r.Program, r.Events[before], r.Events[now], err)
					}
				}
				real, preserving := false, false
				r.Cuts(func(c Cut) {
					if !r.AtPoints(c, before, now) {
						return
					}
					in := r.Bits(c)
					real = real || reached[in]
					preserving = preserving || r.IsCorrectPrefix(in) && !readsAhead(r, c, now, before, now)
				})
				if prefix != nil && !real {
					t.Fatalf("%v\n%v and %v: no order leads there", r.Program, r.Events[before], r.Events[now])
				}
				if prefix == nil && preserving {
					t.Fatalf("%v\n%v and %v: there is a correct prefix", r.Program, r.Events[before], r.Events[now])
				}
				if prefix == nil && real {
					missed++
				}
			}
		}
	})
	t.Logf("%d found, %d need sections in the other order", found, missed)
	if found == 0 && !testing.Short() {
		t.Error("nothing was found")
	}
}
