package process

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// tracedRun is a trace and where its events come from.
type tracedRun struct {
	header *event.Header
	events []event.Event
	record []int // of each event
}

func trace(t tb, records []ring.Record, opt Options) (tr tracedRun, corrupt string) {
	t.Helper()
	return traceUnwatched(t, records, opt, len(records))
}

// traceUnwatched is trace in which operations are not reported from the n-th record on.
func traceUnwatched(t tb, records []ring.Record, opt Options, n int) (tr tracedRun, corrupt string) {
	t.Helper()
	p := newProcess(t, testTable(), opt)
	var out tracedRun
	for i := range records {
		if i == n {
			p.Unwatch()
		}
		err := p.Feed(&records[i], func(e *event.Event) error {
			out.events = append(out.events, *e.Clone())
			out.record = append(out.record, i)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	out.header = p.Header()
	return out, p.Stats().First
}

// Ends of tasks whose timer was armed anew come from a record of another goroutine, and
// the beginnings of late tasks from none: they are where they are to come after nothing.
func (tr tracedRun) ofRecord(i int, records []ring.Record) bool {
	e := &tr.events[i]
	return e.Task != event.EnvTask && !(e.Op == "end" && records[tr.record[i]].Kind == ring.KindTimerArm)
}

// The order of the events of a trace is the order of the records they come from: in
// the full trace as in the one with a specification, which therefore is the full
// one's restriction to its events, and as in the sparse one.
func TestOrderIsTheModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		for _, opt := range []Options{{Full: true}, {}, {Sparse: true}} {
			if diff := s.compare(t, opt); diff != "" {
				t.Fatalf("full=%v sparse=%v: %s", opt.Full, opt.Sparse, diff)
			}
		}
	})
}

// Every kind of record that orders anything matters to that order.
func TestDroppedKindIsNoticed(t *testing.T) {
	runs := rapid.Custom(func(t *rapid.T) *scheduler {
		s := newScheduler(t)
		s.run()
		return s
	})
	for _, kind := range []ring.Kind{
		ring.KindSend, ring.KindRecv, ring.KindHandoff, ring.KindClose, ring.KindRecvClosed, ring.KindAcquire,
		ring.KindRelease, ring.KindReleaseAcquire, ring.KindReleaseMerge, ring.KindAtomicLoad,
		ring.KindAtomicStore, ring.KindAtomicRMW, ring.KindMakeChan, ring.KindCtxStart, ring.KindFree, ring.KindTry,
	} {
		for _, sparse := range []bool{false, true} {
			opt := Options{Sparse: sparse}
			opt.dropped[kind] = true
			noticed := false
			for seed := 0; seed < 500 && !noticed; seed++ {
				noticed = runs.Example(seed).compare(t, opt) != ""
			}
			if !noticed {
				t.Errorf("%s records dropped, sparse=%v: the order of all runs is right", kind, sparse)
			}
		}
	}
}

// compare reports how the order of the trace of s differs from that of the model.
func (s *scheduler) compare(t tb, opt Options) string {
	t.Helper()
	tr, corrupt := trace(t, s.records, opt)
	if corrupt != "" {
		return corrupt
	}
	return s.compareTrace(t, tr)
}

func (s *scheduler) compareTrace(t tb, tr tracedRun) string {
	t.Helper()
	accept(t, tr.header, tr.events)
	o := orderOf(t, tr.header, tr.events)
	for i := range tr.events {
		for j := range tr.events {
			if !tr.ofRecord(i, s.records) || !tr.ofRecord(j, s.records) {
				continue
			}
			a, b := tr.record[i], tr.record[j]
			want := a != b && s.pasts[b][a]
			if got := o.precedes(i, j); got != want {
				return fmt.Sprintf("%q precedes %q: %v, want %v (records %d %s, %d %s)\n%q", short(&tr.events[i]),
					short(&tr.events[j]), got, want, a, s.records[a].Kind, b, s.records[b].Kind, lines(tr.events))
			}
			if a == b && !o.down[i][j] {
				return fmt.Sprintf("%q and %q are not one action (record %d %s)\n%q", short(&tr.events[i]),
					short(&tr.events[j]), a, s.records[a].Kind, lines(tr.events))
			}
		}
	}
	return ""
}

// So is it where operations are reported only in the beginning.
func TestOrderWithoutOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		told := new(counter)
		watched := Options{Full: rapid.Bool().Draw(t, "full"), Sparse: rapid.Bool().Draw(t, "sparse"),
			Accesses: rapid.Bool().Draw(t, "accesses"), Watch: told}
		first := rapid.IntRange(0, len(s.records)).Draw(t, "first record without operations")
		tr, corrupt := traceUnwatched(t, s.records, watched, first)
		if corrupt != "" {
			t.Fatal(corrupt)
		}
		if diff := s.compareTrace(t, tr); diff != "" {
			t.Fatal(diff)
		}
		before := new(counter)
		watched.Watch = before
		trace(t, s.records[:first], watched)
		if told.ops != before.ops {
			t.Fatalf("%d operations were told, want %d of the first %d records", told.ops, before.ops, first)
		}
	})
}

// The events with a specification are in the full trace too, one by one. Among the operations they
// are those that follow a function's entry or exit.
func TestSpecificationKeepsPartOfFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		full, _ := trace(t, s.records, Options{Full: true})
		var kept []string
		fresh := map[string]bool{}
		for i, e := range full.events {
			keep := fresh[e.Task]
			switch s.records[full.record[i]].Kind {
			case ring.KindGo, ring.KindEnd, ring.KindTimerArm, ring.KindEnter, ring.KindExit, ring.KindStmt:
				keep = true
			}
			fresh[e.Task] = e.Enter != "" || e.Exit != ""
			if keep {
				e.After, e.With = nil, nil
				kept = append(kept, unnamed(&e))
			}
		}
		spec, _ := trace(t, s.records, Options{})
		var got []string
		for i := range spec.events {
			spec.events[i].After, spec.events[i].With = nil, nil
			got = append(got, unnamed(&spec.events[i]))
		}
		if !slices.Equal(got, kept) {
			t.Fatalf("got  %q\nwant %q", got, kept)
		}
	})
}

// A sparse trace lacks of the other one the beginnings of goroutines, but for what ends
// a phase of their parents, and the goroutines that then have nothing but an end.
func TestSparseLeavesOutBlankGoroutines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		other, _ := trace(t, s.records, Options{})
		shown := map[string]bool{}
		fresh := map[string]bool{}
		var want []string
		for _, e := range other.events {
			settles := fresh[e.Task]
			fresh[e.Task] = e.Enter != "" || e.Exit != ""
			if e.Spawn != "" && !settles || e.Op == "end" && !shown[e.Task] {
				continue
			}
			shown[e.Task] = true
			e.Spawn, e.After, e.With = "", nil, nil
			want = append(want, short(&e))
		}
		sparse, _ := trace(t, s.records, Options{Sparse: true})
		if want := []string{"main", "env"}; !sparse.header.Sparse || !slices.Equal(sparse.header.Tasks, want) {
			t.Fatalf("sparse %v, tasks %q, want %q", sparse.header.Sparse, sparse.header.Tasks, want)
		}
		var got []string
		begun := map[string]bool{"main": true}
		for _, e := range sparse.events {
			if e.Task == "env" {
				if len(e.After) > 0 || e.Spawn == "" || !shown[e.Spawn] {
					t.Fatalf("event of env: %s", short(&e))
				}
				begun[e.Spawn] = true
				continue
			}
			if !begun[e.Task] {
				t.Fatalf("%s before its task is created", short(&e))
			}
			e.After, e.With = nil, nil
			got = append(got, short(&e))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

// unnamed is an event without its object, which is named by its first event, and the full trace has
// more of these. A wait without its object has no name at all.
func unnamed(e *event.Event) string {
	c := *e
	c.Obj = ""
	if c.Op == "wait" {
		c.Op, c.At = "", ""
	}
	return short(&c)
}
