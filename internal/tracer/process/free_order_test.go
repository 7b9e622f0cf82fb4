package process

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// freeOrder reads the trace of records with a FreeOrder.
func freeOrder(t tb, records []ring.Record, opt Options) (h *event.Header, events []event.Event, err error) {
	t.Helper()
	return readFreeOrder(t, NewFreeOrder, records, opt)
}

// readFreeOrder is freeOrder with one of two functions that make one.
func readFreeOrder(t tb, newOrder func(*event.Header, func(*event.Event) error) (*FreeOrder, error),
	records []ring.Record, opt Options) (
	h *event.Header, events []event.Event, err error) {
	t.Helper()
	opt.Record, opt.Watch = true, op.Discard
	p := newProcess(t, testTable(), opt)
	f, err := newOrder(p.Header(), func(e *event.Event) error {
		events = append(events, *e.Clone())
		return nil
	})
	for i := range records {
		if err == nil {
			err = p.Feed(&records[i], f.Add)
		}
	}
	if err == nil {
		err = p.Finish(f.Add)
	}
	if err != nil {
		return nil, nil, err
	}
	return f.Header(), events, f.Finish()
}

// withReads puts reads of what other goroutines have written between records.
func withReads(t *rapid.T, records []ring.Record) (all []ring.Record) {
	count := map[uint64]uint64{}
	add := func(r ring.Record) {
		r.Index = uint64(len(all))
		all = append(all, r)
		count[r.Ctx]++
		if r.Kind == ring.KindHandoff {
			count[r.Aux]++
		}
	}
	for _, r := range records {
		add(r)
		other := rapid.Uint64Range(1, 4).Draw(t, "other")
		if other != r.Ctx && count[other] > 0 && r.Kind != ring.KindEnd && rapid.Bool().Draw(t, "reads") {
			add(conflictRec(ring.KindRead, r.Ctx, 0x5000, other, rapid.Uint64Range(0, count[other]).Draw(t, "written"),
				ring.AccessWrites))
		}
	}
	return all
}

// seenBeside returns what an event has seen that it does not come after anyway.
func seenBeside(e *event.Event) []event.Ref {
	return slices.DeleteFunc(slices.Clone(e.Seen), func(r event.Ref) bool { return slices.Contains(e.After, r) })
}

// TestFreeOrder compares what follows from a trace with what follows from the records of the
// program themselves.
func TestFreeOrder(t *testing.T) {
	seen := 0
	compare := func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		records := withReads(t, s.records)
		elements := rapid.SampledFrom([][]uint64{{5}, {5, 5, 5, 6, 0}}).Draw(t, "elements")
		for i := range records {
			r := &records[i]
			if r.Kind != ring.KindHandoff && r.Kind != ring.KindRead && rapid.Bool().Draw(t, "place") {
				r.PC = [ring.PCs]uint64{uint64(rapid.IntRange(1, 4).Draw(t, "pc")), libraryPC + 7, 9}
			}
			if r.Kind == ring.KindSend {
				r.Arg |= rapid.SampledFrom(elements).Draw(t, "element") << ring.OpShift
			}
		}
		opt := Options{Full: rapid.Bool().Draw(t, "full"), Sparse: rapid.Bool().Draw(t, "sparse"),
			Env: rapid.Bool().Draw(t, "env"), Accesses: rapid.Bool().Draw(t, "accesses")}
		h, got, err := freeOrder(t, records, opt)
		p := newProcess(t, testTable(),
			Options{Env: opt.Env, Accesses: opt.Accesses, Watch: op.Discard, sections: true})
		want := run(t, p, records)
		if corrupt := p.Stats().First; err != nil || corrupt != "" {
			if err == nil || corrupt == "" {
				t.Fatalf("%v, in the run: %s", err, corrupt)
			}
			return
		}
		if !slices.Equal(h.Tasks, p.Header().Tasks) || h.Sparse {
			t.Fatalf("%+v, want %+v", h, p.Header())
		}
		values := newReadsFrom()
		for i := range want {
			want[i] = *values.order(&want[i])
		}
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
			t.Fatalf("-run +trace:\n%s", diff)
		}
		for i := range want {
			if !slices.Equal(seenBeside(&want[i]), seenBeside(&got[i])) {
				t.Fatalf("%s has seen %v, want %v", short(&got[i]), got[i].Seen, want[i].Seen)
			}
			seen += len(seenBeside(&want[i]))
		}
	}
	enough := func() bool { return testing.Short() || seen > 0 }
	rapidtest.CheckUntil(t, enough, compare)
	if !enough() {
		t.Error("no event has seen anything")
	}
}

// TestBlindFreeOrder compares what follows from a trace, without its accesses to memory, with what
// follows from one that has none.
func TestBlindFreeOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		s.run()
		_, want, wrong := freeOrder(t, s.records, Options{})
		_, got, err := readFreeOrder(t, NewBlindFreeOrder, withReads(t, s.records), Options{Accesses: true})
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%v, without accesses %v", err, wrong)
		}
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
			t.Fatalf("-without +blind:\n%s", diff)
		}
		for i := range got {
			if len(got[i].Seen) > 0 {
				t.Fatalf("%s has seen %v", short(&got[i]), got[i].Seen)
			}
		}
	})
}

// TestFreeOrderRefuses has traces that do not show where sections begin and end.
func TestFreeOrderRefuses(t *testing.T) {
	enter := event.Event{Task: "main.1", Enter: "f"}
	named := event.Event{Task: "T1", Record: &event.Record{Kind: ring.KindGo, Ctx: 1, Addr: 2}}
	for _, tt := range []struct {
		operations *event.Operations
		event      event.Event
	}{
		{nil, enter},
		{&event.Operations{Only: []string{"race"}}, enter},
		{&event.Operations{}, named},
		{&event.Operations{}, enter}, // of no task
		{&event.Operations{}, event.Event{Task: "main", Exit: "f"}},
	} {
		f, err := NewFreeOrder(&event.Header{Tasks: []string{"main"}, Operations: tt.operations},
			func(*event.Event) error { return nil })
		if err == nil {
			err = f.Add(&tt.event)
		}
		if err == nil {
			t.Errorf("%+v: %+v is read", tt.operations, tt.event)
		}
	}
}

// TestUndescribed has locks at places that the trace does not describe: they may be those of the
// standard library.
func TestUndescribed(t *testing.T) {
	const m = 100
	at := func(r ring.Record) ring.Record { r.PC[0] = 7; return r }
	lock := func(ctx uint64) ring.Record { return at(rec(ring.KindAcquire, ctx, m, m, ring.OpLock)) }
	unlock := func(ctx uint64) ring.Record { return at(rec(ring.KindRelease, ctx, m, m, ring.OpUnlock)) }
	records := []ring.Record{goRec(1, 2), goRec(1, 3), lock(2), enterRec(2), unlock(2), lock(3), enterRec(3)}
	for _, described := range []bool{true, false} {
		p := newProcess(t, testTable(), Options{Record: true})
		var events []event.Event
		f, err := NewFreeOrder(p.Header(), func(e *event.Event) error {
			events = append(events, *e.Clone())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			err := p.Feed(&records[i], func(e *event.Event) error {
				if e.Code != nil && !described {
					return nil
				}
				return f.Add(e)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		last := events[len(events)-1]
		if ordered := len(last.After) > 0; ordered == described {
			t.Errorf("described: %v; %s", described, short(&last))
		}
	}
}

// TestReadsFrom has events come after those whose values they have seen.
func TestReadsFrom(t *testing.T) {
	value := func(task string, n int64, after ...event.Ref) event.Event {
		return event.Event{Task: task, After: after, Global: []event.Binding{{Name: "x", Value: event.IntValue(n)}}}
	}
	r := newReadsFrom()
	var got []event.Event
	for _, e := range []event.Event{
		value("a", 1), value("b", 1), {Task: "b"}, value("c", 2), value("a", 2),
		value("b", 2, event.Ref{Task: "c", K: 1}),
	} {
		got = append(got, *r.order(&e))
	}
	want := []string{
		"a global x=1", "b global x=1 after a/1", "b", "c global x=2 after a/1", "a global x=2 after c/1",
		"b global x=2 after c/1",
	}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Error(diff)
	}
}

// TestClaims has a section in which something is read and written come after who wrote what it
// read, whatever order sections have. One that only reads does so as far as it has to see the same.
func TestClaims(t *testing.T) {
	const m, x = 100, 0x5000
	lock := func(ctx uint64) ring.Record { return rec(ring.KindAcquire, ctx, m, m, ring.OpLock) }
	unlock := func(ctx uint64) ring.Record { return rec(ring.KindRelease, ctx, m, m, ring.OpUnlock) }
	after := event.Ref{Task: "main.1", K: 1} // the section in which x was written
	for _, tt := range []struct {
		name     string
		kind     ring.Kind
		arg      uint64
		claimed  bool
		mustSeen bool
	}{
		{"reads", ring.KindRead, 0, false, true},
		{"writes", ring.KindWrite, 0, false, false},
		{"changes a part", ring.KindWrite, ring.AccessRewrites, false, true},
		{"compares and swaps", ring.KindWrite, ring.AccessAtomic, false, true},
		{"tests and sets", ring.KindWrite, ring.AccessClaims, true, false},
	} {
		access := conflictRec(tt.kind, 3, x, 2, 1, ring.AccessWrites)
		access.Arg = tt.arg
		_, events, err := freeOrder(t,
			[]ring.Record{goRec(1, 2), goRec(1, 3), lock(2), unlock(2), lock(3), access, unlock(3)},
			Options{Accesses: true})
		if err != nil {
			t.Fatal(err)
		}
		last := &events[len(events)-1]
		if claimed, seen := slices.Contains(last.After, after),
			slices.Contains(last.Seen, after); claimed != tt.claimed || seen != tt.mustSeen {
			t.Errorf("%s: %s, has seen %v", tt.name, short(last), last.Seen)
		}
	}
}

// TestSections has critical sections order nothing, but for those of the standard library, and
// keeps what else orders.
func TestSections(t *testing.T) {
	const m, ch = 100, 200
	lock := func(ctx uint64) ring.Record { return rec(ring.KindAcquire, ctx, m, m, ring.OpLock) }
	unlock := func(ctx uint64) ring.Record { return rec(ring.KindRelease, ctx, m, m, ring.OpUnlock) }
	try := func(ctx uint64) ring.Record { return rec(ring.KindTry, ctx, m, m, ring.OpLock|1000<<ring.OpShift) }
	inside := func(r ring.Record) ring.Record { r.PC[0] = libraryPC; return r }
	// the first of two steps of a writer
	claims := func(ctx uint64) ring.Record { return rec(ring.KindAcquire, ctx, m+12, 0, ring.OpNone) }
	made := rec(ring.KindMakeChan, 1, ch, 1)
	send := func(ctx uint64) ring.Record { return rec(ring.KindSend, ctx, ch, 0) }
	recv := func(ctx uint64) ring.Record { return rec(ring.KindRecv, ctx, ch, 0) }
	put := func(ctx uint64) ring.Record { return rec(ring.KindSend, ctx, ch, 0, 1<<ring.OpShift) }
	other := func(ctx uint64) ring.Record { return rec(ring.KindSend, ctx, ch, 0, 2<<ring.OpShift) }
	start := []ring.Record{goRec(1, 2), goRec(1, 3)}
	for _, tt := range []struct {
		name    string
		records []ring.Record
		want    []string
	}{
		{"sections", []ring.Record{lock(2), enterRec(2), unlock(2), lock(3), enterRec(3), unlock(3)}, []string{
			"main.1 op lock mutex 1", "main.1 enter g at p.go:3", "main.1 op unlock mutex 1",
			"main.2 op lock mutex 1", "main.2 enter g at p.go:3", "main.2 op unlock mutex 1",
		}},
		{"of readers", []ring.Record{
			rec(ring.KindAcquire, 2, m+12, m, ring.OpRLock), rec(ring.KindReleaseMerge, 2, m+8, m, ring.OpRUnlock),
			rec(ring.KindAcquire, 3, m+8, m, ring.OpLock), enterRec(3),
			rec(ring.KindRelease, 3, m+12, m, ring.OpUnlock),
			rec(ring.KindAcquire, 2, m+12, m, ring.OpRLock),
		}, []string{
			"main.1 op rlock rwmutex 1", "main.1 op runlock rwmutex 1",
			"main.2 op lock rwmutex 1", "main.2 enter g at p.go:3", "main.2 op unlock rwmutex 1",
			"main.1 op rlock rwmutex 1",
		}},
		{"of writers", []ring.Record{
			claims(2), rec(ring.KindAcquire, 2, m+8, m, ring.OpLock), enterRec(2),
			rec(ring.KindRelease, 2, m+12, m, ring.OpUnlock),
			claims(3), rec(ring.KindAcquire, 3, m+8, m, ring.OpLock), enterRec(3),
			rec(ring.KindRelease, 3, m+12, m, ring.OpUnlock),
		}, []string{
			"main.1 op lock rwmutex 1", "main.1 enter g at p.go:3", "main.1 op unlock rwmutex 1",
			"main.2 op lock rwmutex 1", "main.2 enter g at p.go:3", "main.2 op unlock rwmutex 1",
		}},
		{"of a writer of the library", []ring.Record{
			claims(2), rec(ring.KindAcquire, 2, m+8, m, ring.OpLock), rec(ring.KindRelease, 2, m+12, m, ring.OpUnlock),
			claims(3), inside(rec(ring.KindAcquire, 3, m+8, m, ring.OpLock)), enterRec(3),
		}, []string{
			"main.1 op lock rwmutex 1", "main.1 op unlock rwmutex 1",
			"main.2 enter g at p.go:3 after main.1/2",
		}},
		{"of the library in the middle",
			[]ring.Record{lock(2), unlock(2), inside(lock(3)), inside(unlock(3)), enterRec(3), lock(2), unlock(2)},
			[]string{
				"main.1 op lock mutex 1", "main.1 op unlock mutex 1",
				"main.2 enter g at p.go:3 after main.1/2",
				// after the section of main.2, which began after main started it
				"main.1 op lock mutex 1 after main/2", "main.1 op unlock mutex 1",
			}},
		{"of a channel that is a lock",
			[]ring.Record{made, send(2), enterRec(2), recv(2), send(3), enterRec(3), recv(3)}, []string{
				"main.1 op send (lock) chan 1 after main/2", "main.1 enter g at p.go:3", "main.1 op recv (lock) chan 1",
				"main.2 op send (locks) chan 1", "main.2 enter g at p.go:3", "main.2 op recv (unlocks) chan 1",
			}},
		{"of a channel that is a lock no more",
			[]ring.Record{made, send(2), recv(2), send(3), recv(2), enterRec(2), send(3), enterRec(3)}, []string{
				"main.1 op send (lock) chan 1 after main/2", "main.1 op recv (lock) chan 1",
				"main.2 op send (locks) chan 1",
				"main.1 enter g at p.go:3 after main.2/1",
				"main.2 enter g at p.go:3 after main.1/2",
			}},
		{"of a channel that the library uses, too",
			[]ring.Record{made, send(2), recv(2), inside(send(3)), inside(recv(3)), enterRec(3), send(2), recv(2),
				enterRec(2)}, []string{
				"main.1 op send (lock) chan 1 after main/2", "main.1 op recv (lock) chan 1",
				"main.2 enter g at p.go:3 after main.1/2",
				"main.1 enter g at p.go:3",
			}},
		{"of a channel that starts full",
			[]ring.Record{made, put(1), recv(2), enterRec(2), put(2), recv(3), enterRec(3), put(3)}, []string{
				"main op send (lock) chan 1",
				"main.1 op recv (locks) chan 1 after main/3", "main.1 enter g at p.go:3",
				"main.1 op send (unlocks) chan 1",
				"main.2 op recv (locks) chan 1 after main/3", "main.2 enter g at p.go:3",
				"main.2 op send (unlocks) chan 1",
			}},
		{"of a channel that starts full, with another element",
			[]ring.Record{made, put(1), recv(2), enterRec(2), other(2), recv(3), enterRec(3)}, []string{
				"main op send (lock) chan 1",
				"main.1 op recv (locks) chan 1 after main/3", "main.1 enter g at p.go:3",
				"main.1 op send (unlocks) chan 1",
				"main.2 enter g at p.go:3 after main.1/3",
			}},
		{"of a channel that starts full, of elements of which little is known",
			[]ring.Record{made, send(1), recv(2), enterRec(2), send(2), recv(3), enterRec(3)}, []string{
				"main op send (lock) chan 1",
				"main.1 enter g at p.go:3 after main/3", "main.1 op send chan 1",
				"main.2 enter g at p.go:3 after main.1/2",
			}},
		{"a channel", []ring.Record{lock(2), rec(ring.KindSend, 2, ch, 0, 0), unlock(2), lock(3),
			rec(ring.KindRecv, 3, ch, 0, 0), enterRec(3)}, []string{
			"main.1 op lock mutex 1", "main.1 op unlock mutex 1",
			"main.2 op lock mutex 1", "main.2 enter g at p.go:3 after main.1/1",
		}},
		{"unlocked by another one", []ring.Record{lock(2), unlock(3), enterRec(3), lock(2)}, []string{
			"main.1 op lock mutex 1", "main.2 op unlock mutex 1 after main.1/1", "main.2 enter g at p.go:3",
			"main.1 op lock mutex 1",
		}},
		{"read later", []ring.Record{
			// until it is known that main.2 has the lock
			try(2), enterRec(2), rec(ring.KindSend, 2, ch, 0, 0),
			lock(3), rec(ring.KindRecv, 3, ch, 0, 0), enterRec(3),
		}, []string{
			"main.2 op lock mutex 1", "main.1 enter g at p.go:3 after main.2/1", "main.1 op send chan 1",
			"main.2 enter g at p.go:3 after main.1/2",
		}},
		{"read in vain", []ring.Record{
			try(2), enterRec(2), rec(ring.KindSend, 2, ch, 0, 0), rec(ring.KindRecv, 3, ch, 0, 0), enterRec(3),
		}, []string{
			"main.1 enter g at p.go:3", "main.1 op send chan 1", "main.2 enter g at p.go:3 after main.1/2",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, events, err := freeOrder(t, append(start[:2:2], tt.records...), Options{})
			if diff := cmp.Diff(tt.want, lines(events)[2:]); diff != "" || err != nil {
				t.Errorf("%v, -want +got:\n%s", err, diff)
			}
		})
	}
}
