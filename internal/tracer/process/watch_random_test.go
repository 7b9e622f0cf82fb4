package process

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// recordedOp is an operation and the record that it comes from.
type recordedOp struct {
	op.Op
	record int
}

// watchRecords returns the operations of records.
func watchRecords(t tb, records []ring.Record, opt Options) []recordedOp {
	t.Helper()
	var w opRecorder
	opt.Watch = &w
	p := newProcess(t, testTable(), opt)
	var ops []recordedOp
	for i := range records {
		if err := p.Feed(&records[i], func(*event.Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for _, o := range w.ops {
			ops = append(ops, recordedOp{o, i})
		}
		w.ops = w.ops[:0]
	}
	if s := p.Stats(); s.Corrupt > 0 || s.Unwatched != "" {
		t.Fatalf("corrupt: %d, first %s; unwatched %q", s.Corrupt, s.First, s.Unwatched)
	}
	return ops
}

// sides are the operations of tasks that o is.
func (o *recordedOp) sides() []recordedOp {
	var sides []recordedOp
	if o.Task != op.NoTask {
		sides = append(sides, *o)
	}
	if o.Kind == op.Handoff && o.Other != op.NoTask {
		other := *o
		other.Task, other.K = o.Other, o.OtherK
		sides = append(sides, other)
	}
	return sides
}

// precedes reports whether side a comes before o according to its clock.
func precedes(a, o *recordedOp) bool {
	for _, b := range o.sides() {
		if a.Task == b.Task {
			return a.K < b.K
		}
	}
	return o.Full.At(int32(a.Task)) >= a.K
}

// The full order of operations is that of the records they come from. The ends of timers
// that are armed anew come from records of others.
func TestOperationsHaveTheModelsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		ops := watchRecords(t, s.records, Options{Sparse: rapid.Bool().Draw(t, "sparse")})
		for i := range ops {
			o := &ops[i]
			for j := range ops {
				if ops[j].record == o.record || foreign(s, &ops[j]) || foreign(s, o) {
					continue
				}
				for _, a := range ops[j].sides() {
					if got, want := precedes(&a, o), s.pasts[o.record][a.record]; got != want {
						t.Fatalf("%s of task %d (record %d) precedes %s of task %d (record %d): %v, want %v",
							a.Kind, a.Task, a.record, o.Kind, o.Task, o.record, got, want)
					}
				}
			}
		}
	})
}

func foreign(s *scheduler, o *recordedOp) bool {
	return o.Kind == op.End && s.records[o.record].Kind != ring.KindEnd
}

// The order without locks is the full order of a run in which locks do nothing but count.
func TestFreeIsFullWithoutLocks(t *testing.T) {
	differ := 0
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.orderly = true
		s.run()
		opt := Options{Sparse: rapid.Bool().Draw(t, "sparse")}
		for i := range s.records {
			if r := &s.records[i]; r.Kind == ring.KindMakeChan {
				r.Aux = 2 // no lock: see TestGuards
			}
		}
		with := watchRecords(t, s.records, opt)
		unlocked := slices.Clone(s.records)
		for i := range unlocked {
			if r := &unlocked[i]; r.Op() >= ring.OpLock && r.Op() <= ring.OpRUnlock {
				*r = ring.Record{Kind: ring.KindMark, Index: r.Index, Ctx: r.Ctx, Addr: 8, Arg: ring.OpAdd}
			}
		}
		without := watchRecords(t, unlocked, opt)
		freed := func(o recordedOp) bool { return o.Kind == op.Free }
		with, without = slices.DeleteFunc(with, freed), slices.DeleteFunc(without, freed)
		if len(with) != len(without) {
			t.Fatalf("%d operations, %d without locks", len(with), len(without))
		}
		tasks := 1
		for i := range with {
			a, b := &with[i], &without[i]
			if a.Kind == op.Go {
				tasks++
			}
			for task := range int32(tasks) {
				if got, want := a.Free.At(task), b.Full.At(task); got != want {
					t.Fatalf("%s of task %d knows task %d up to %d, want %d", a.Kind, a.Task, task, got, want)
				}
				if b.Full.At(task) != b.Free.At(task) {
					t.Fatalf("without locks %s of task %d has two orders", b.Kind, b.Task)
				}
				if a.Full.At(task) != a.Free.At(task) {
					differ++
				}
			}
		}
	})
	if differ == 0 && !testing.Short() { // too few cases otherwise
		t.Error("locks order nothing in any run")
	}
}

// Before an operation by which it learns, a task knows what it knew at its previous operation.
func TestKnownBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		ops := watchRecords(t, s.records, Options{Sparse: true})
		last := map[op.Task]*recordedOp{}
		type order func(*recordedOp) *clock.Clock
		full := func(o *recordedOp) *clock.Clock { return o.Full }
		free := func(o *recordedOp) *clock.Clock { return o.Free }
		check := func(o *recordedOp, task op.Task, order order, before *clock.Clock) {
			prev := last[task]
			for other := range int32(len(ops)) {
				if op.Task(other) == task || prev == nil || prev.Kind == op.Handoff &&
					(op.Task(other) == prev.Task || op.Task(other) == prev.Other) {
					continue
				}
				if got, want := before.At(other), order(prev).At(other); got < want {
					t.Fatalf("before its %s task %d knew task %d up to %d, want %d", o.Kind, task, other, got, want)
				}
				if got, most := before.At(other), order(o).At(other); got > most {
					t.Fatalf("before its %s task %d knew task %d up to %d, then %d", o.Kind, task, other, got, most)
				}
			}
		}
		for i := range ops {
			o := &ops[i]
			switch o.Kind {
			case op.Lock, op.RLock:
				if o.Task != op.NoTask {
					check(o, o.Task, full, o.Begin)
				}
			case op.Send, op.Recv, op.RecvClosed, op.Wait:
				if o.Task != op.NoTask {
					check(o, o.Task, full, o.Begin)
					check(o, o.Task, free, o.Before)
				}
			case op.Handoff:
				check(o, o.Task, full, o.Begin)
				check(o, o.Task, free, o.Before)
				check(o, o.Other, full, o.OtherBegin)
				check(o, o.Other, free, o.OtherBefore)
			}
			for _, side := range o.sides() {
				last[side.Task] = o
			}
		}
	})
}
