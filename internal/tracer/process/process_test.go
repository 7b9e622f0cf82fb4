package process

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// enter and exit are what most cases order: f by one goroutine, g by the other.
func enterRec(ctx uint64) ring.Record {
	return ring.Record{Kind: ring.KindEnter, Ctx: ctx, Addr: enterG}
}

func stmtRec(ctx uint64) ring.Record {
	return ring.Record{Kind: ring.KindStmt, Ctx: ctx, Addr: stmtS, Payload: values(nil, nil, nil)}
}

func goRec(parent, child uint64) ring.Record {
	return ring.Record{Kind: ring.KindGo, Ctx: parent, Addr: child, Aux: 7, PC: [3]uint64{9}}
}

func rec(kind ring.Kind, ctx, addr, aux uint64, op ...uint64) ring.Record {
	r := ring.Record{Kind: kind, Ctx: ctx, Addr: addr, Aux: aux}
	if len(op) > 0 {
		r.Arg = op[0]
	}
	return r
}

// Each case orders the enter of main.1 (context 2) before that of main.2 (context 3)
// by one kind of edge, and by nothing else.
var edges = []struct {
	name    string
	needs   ring.Kind // without it, the order is lost
	between []ring.Record
	full    []string // what the full trace has between the two
}{
	{"lock after unlock", ring.KindRelease, []ring.Record{
		rec(ring.KindRelease, 2, 100, 0, ring.OpUnlock),
		rec(ring.KindAcquire, 3, 100, 0, ring.OpLock),
	}, []string{
		"main.1 op unlock mutex 1",
		"main.2 op lock mutex 1 after main.1/2",
	}},
	{"lock after unlock, acquire", ring.KindAcquire, []ring.Record{
		rec(ring.KindRelease, 2, 100, 200, ring.OpUnlock),
		rec(ring.KindAcquire, 3, 100, 200, ring.OpLock),
	}, []string{
		"main.1 op unlock rwmutex 1",
		"main.2 op lock rwmutex 1 after main.1/2",
	}},
	{"wait after done", ring.KindReleaseMerge, []ring.Record{
		rec(ring.KindMark, 1, 100, 0, ring.OpAdd),
		rec(ring.KindReleaseMerge, 2, 100, 0, ring.OpDone),
		rec(ring.KindReleaseMerge, 1, 100, 0, ring.OpDone),
		rec(ring.KindAcquire, 3, 100, 0, ring.OpWait),
	}, []string{
		"main op add waitgroup 1",
		"main.1 op done waitgroup 1 after main/3",
		"main op done waitgroup 1",
		"main.2 op wait waitgroup 1 after main/4 after main.1/2",
	}},
	{"inside the library", ring.KindRelease, []ring.Record{
		rec(ring.KindRelease, 2, 100, 0),
		rec(ring.KindAcquire, 3, 100, 0),
	}, nil},
	{"release-acquire", ring.KindReleaseAcquire, []ring.Record{
		rec(ring.KindReleaseAcquire, 2, 100, 0),
		rec(ring.KindReleaseAcquire, 3, 100, 0),
	}, nil},
	{"buffered channel", ring.KindSend, []ring.Record{
		rec(ring.KindSend, 2, 100, 0),
		rec(ring.KindRecv, 3, 100, 0),
	}, []string{
		"main.1 op send chan 1",
		"main.2 op recv chan 1 after main.1/2",
	}},
	{"slot of a channel filled again", ring.KindRecv, []ring.Record{
		rec(ring.KindSend, 1, 100, 0),
		rec(ring.KindRecv, 2, 100, 0),
		rec(ring.KindSend, 3, 100, 0),
	}, []string{
		"main op send chan 1",
		"main.1 op recv chan 1 after main/3",
		"main.2 op send chan 1 after main.1/2",
	}},
	{"handoff to the receiver", ring.KindHandoff, []ring.Record{
		rec(ring.KindHandoff, 2, 100, 3),
	}, []string{
		"main.1 op send chan 1 with main.2/1",
		"main.2 op recv chan 1 with main.1/2",
	}},
	{"handoff to the sender", ring.KindHandoff, []ring.Record{
		rec(ring.KindHandoff, 3, 100, 2),
	}, []string{
		"main.2 op send chan 1 with main.1/2",
		"main.1 op recv chan 1 with main.2/1",
	}},
	{"close", ring.KindClose, []ring.Record{
		rec(ring.KindClose, 2, 100, 0),
		rec(ring.KindRecvClosed, 3, 100, 0),
	}, []string{
		"main.1 op close chan 1",
		"main.2 op recv chan 1 after main.1/2",
	}},
	{"receive of a closed channel", ring.KindRecvClosed, []ring.Record{
		rec(ring.KindClose, 2, 100, 0),
		rec(ring.KindRecvClosed, 3, 100, 0),
	}, []string{
		"main.1 op close chan 1",
		"main.2 op recv chan 1 after main.1/2",
	}},
	{"load sees store", ring.KindAtomicStore, []ring.Record{
		rec(ring.KindAtomicStore, 2, 100, 1),
		rec(ring.KindAtomicLoad, 3, 100, 1),
	}, []string{
		"main.1 op store atomic 1",
		"main.2 op load atomic 1 after main.1/2",
	}},
	{"load sees store, both of the library for itself", ring.KindAtomicStore, []ring.Record{
		rec(ring.KindSend, 2, 500, 0),
		{Kind: ring.KindAtomicStore, Ctx: 2, Addr: 100, PC: [ring.PCs]uint64{libraryPC}},
		{Kind: ring.KindAtomicLoad, Ctx: 3, Addr: 100, PC: [ring.PCs]uint64{libraryPC}},
		rec(ring.KindSend, 3, 600, 0),
	}, []string{
		"main.1 op send chan 1",
		"main.2 op send chan 2 after main.1/2",
	}},
	{"store after load", ring.KindAtomicLoad, []ring.Record{
		rec(ring.KindAtomicLoad, 2, 100, 0),
		rec(ring.KindAtomicStore, 3, 100, 1),
	}, []string{
		"main.1 op load atomic 1",
		"main.2 op store atomic 1 after main.1/2",
	}},
	{"add after add", ring.KindAtomicRMW, []ring.Record{
		rec(ring.KindAtomicRMW, 2, 100, 1),
		rec(ring.KindAtomicRMW, 3, 100, 2),
	}, []string{
		"main.1 op cas atomic 1",
		"main.2 op cas atomic 1 after main.1/2",
	}},
	{"timer channel", ring.KindCtxStart, []ring.Record{
		rec(ring.KindRelease, 2, 300, 0, ring.OpTimer),
		rec(ring.KindCtxStart, 0, 9, 0),
		rec(ring.KindAcquire, 9, 300, 0, ring.OpTimer),
		rec(ring.KindSend, 9, 100, 0),
		rec(ring.KindRecv, 3, 100, 0),
	}, []string{
		"main.2 op recv chan 1 after main.1/1",
	}},
}

// whole puts the case between two statements.
func whole(between []ring.Record) []ring.Record {
	records := []ring.Record{goRec(1, 2), goRec(1, 3), stmtRec(2)}
	return append(append(records, between...), stmtRec(3))
}

func TestEdges(t *testing.T) {
	for _, tt := range edges {
		t.Run(tt.name, func(t *testing.T) {
			p := newProcess(t, testTable(), Options{})
			want := []string{
				"main spawn main.1 op go f7 at a.go:9",
				"main spawn main.2 op go f7 at a.go:9",
				"main.1 at p.go:5",
				"main.2 at p.go:5 after main.1/1",
			}
			if diff := cmp.Diff(want, lines(run(t, p, whole(tt.between)))); diff != "" {
				t.Errorf("events with a specification (-want +got):\n%s", diff)
			}
			if s := p.Stats(); s.Corrupt != 0 {
				t.Errorf("corrupt: %d, first %s", s.Corrupt, s.First)
			}

			dropped := Options{}
			dropped.dropped[tt.needs] = true
			p = newProcess(t, testTable(), dropped)
			got := lines(run(t, p, whole(tt.between)))
			if last := got[len(got)-1]; last != "main.2 at p.go:5" {
				t.Errorf("without %s records: %q, want no cause", tt.needs, last)
			}

			p = newProcess(t, testTable(), Options{Full: true})
			got = lines(run(t, p, whole(tt.between)))
			for i, line := range got {
				got[i] = strings.TrimSuffix(line, " at a.go:0")
			}
			if diff := cmp.Diff(tt.full, got[3:len(got)-1], cmp.Transformer("nil", func(s []string) []string {
				return append([]string{}, s...)
			})); diff != "" {
				t.Errorf("full trace between the two (-want +got):\n%s", diff)
			}
		})
	}
}

// A handoff that ends the phase of both sides ends both at once.
func TestHandoffEndsBothPhasesAtOnce(t *testing.T) {
	records := []ring.Record{goRec(1, 2), goRec(1, 3), enterRec(2), enterRec(3), rec(ring.KindHandoff, 2, 100, 3)}
	got := lines(run(t, newProcess(t, testTable(), Options{}), records))
	want := []string{
		"main.1 op send chan 1 with main.2/2",
		"main.2 op recv chan 1 with main.1/2",
	}
	if diff := cmp.Diff(want, got[len(got)-2:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The phases start and term end where they end in the full trace: with the task's next
// operation. Without the unlock main.1 would still seem to leave g when main.2 enters it.
func TestPhasesEnd(t *testing.T) {
	for _, tt := range []struct {
		name    string
		between []ring.Record
		want    string
	}{
		{"unlock", []ring.Record{
			{Kind: ring.KindRelease, Ctx: 2, Addr: 100, Arg: ring.OpUnlock},
			{Kind: ring.KindAcquire, Ctx: 3, Addr: 100, Arg: ring.OpLock},
		}, "main.1 op unlock mutex 1"},
		{"inside the library", []ring.Record{rec(ring.KindRelease, 2, 100, 0), rec(ring.KindAcquire, 3, 100, 0)},
			"main.1"},
		{"send", []ring.Record{rec(ring.KindSend, 2, 100, 0), rec(ring.KindRecv, 3, 100, 0)}, "main.1 op send chan 1"},
		{"handoff", []ring.Record{rec(ring.KindHandoff, 2, 100, 3)}, "main.1 op send chan 1 after main/2"},
		{"close", []ring.Record{rec(ring.KindClose, 2, 100, 0), rec(ring.KindRecvClosed, 3, 100, 0)},
			"main.1 op close chan 1"},
		{"store", []ring.Record{rec(ring.KindAtomicStore, 2, 100, 1), rec(ring.KindAtomicLoad, 3, 100, 1)},
			"main.1 op store atomic 1"},
		{"load", []ring.Record{rec(ring.KindAtomicLoad, 2, 100, 1), rec(ring.KindAtomicStore, 3, 100, 1)},
			"main.1 op load atomic 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exit := ring.Record{Kind: ring.KindExit, Ctx: 2, Addr: exitG}
			records := append([]ring.Record{goRec(1, 2), goRec(1, 3), enterRec(2), exit}, tt.between...)
			got := lines(run(t, newProcess(t, testTable(), Options{}), append(records, enterRec(3))))
			want := []string{"main.1 enter g at p.go:3", "main.1 exit g at p.go:4", tt.want,
				"main.2 enter g at p.go:3 after main.1/3"}
			for i, line := range got {
				got[i] = strings.TrimSuffix(line, " at a.go:0")
			}
			if diff := cmp.Diff(want, got[2:]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Unordered operations must stay so: each case has an acquire that must not order.
func TestNoEdge(t *testing.T) {
	for _, tt := range []struct {
		name    string
		between []ring.Record
	}{
		{"other mutex", []ring.Record{rec(ring.KindRelease, 2, 100, 0), rec(ring.KindAcquire, 3, 101, 0)}},
		{"release forgets", []ring.Record{rec(ring.KindReleaseMerge, 2, 100, 0), rec(ring.KindRelease, 1, 100, 0),
			rec(ring.KindAcquire, 3, 100, 0)}},
		{"mark", []ring.Record{rec(ring.KindMark, 2, 100, 0, ring.OpAdd), rec(ring.KindMark, 3, 100, 0, ring.OpAdd)}},
		{"loads", []ring.Record{rec(ring.KindAtomicLoad, 2, 100, 0), rec(ring.KindAtomicLoad, 3, 100, 0)}},
		{"other slot", []ring.Record{rec(ring.KindSend, 2, 100, 0), rec(ring.KindSend, 1, 100, 1),
			rec(ring.KindRecv, 3, 100, 1)}},
		{"closing learns nothing", []ring.Record{rec(ring.KindRecvClosed, 2, 100, 0), rec(ring.KindClose, 3, 100, 0)}},
		{"channel in reused memory", []ring.Record{rec(ring.KindSend, 2, 100, 0), rec(ring.KindMakeChan, 1, 100, 1),
			rec(ring.KindRecv, 3, 100, 0)}},
		{"lock in reused memory", []ring.Record{rec(ring.KindRelease, 2, 104, 0), rec(ring.KindFree, 0, 100, 8),
			rec(ring.KindAcquire, 3, 104, 0)}},
		{"one of many in reused memory",
			[]ring.Record{rec(ring.KindRelease, 2, 104, 0), rec(ring.KindFree, 0, 100, 1<<40),
				rec(ring.KindAcquire, 3, 104, 0)}},
		{"atomic in reused memory", []ring.Record{rec(ring.KindAtomicStore, 2, 100, 0), rec(ring.KindFree, 0, 100, 4),
			rec(ring.KindAtomicRMW, 3, 100, 0)}},
		{"atomic and lock at one address",
			[]ring.Record{rec(ring.KindAtomicStore, 2, 100, 0), rec(ring.KindAcquire, 3, 100, 0)}},
		{"timers of one context", []ring.Record{
			rec(ring.KindCtxStart, 0, 9, 0),
			rec(ring.KindRelease, 2, 300, 0, ring.OpTimer), rec(ring.KindRelease, 1, 301, 0, ring.OpTimer),
			rec(ring.KindAcquire, 9, 300, 0, ring.OpTimer), rec(ring.KindAcquire, 9, 301, 0, ring.OpTimer),
			rec(ring.KindSend, 9, 100, 0), rec(ring.KindRecv, 3, 100, 0)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProcess(t, testTable(), Options{})
			events := run(t, p, whole(tt.between))
			o := orderOf(t, p.Header(), events)
			if n := len(events); o.precedes(n-2, n-1) {
				t.Errorf("ordered: %q", lines(events))
			}
		})
	}
}

func TestTasks(t *testing.T) {
	for _, tt := range []struct {
		name    string
		opt     Options
		records []ring.Record
		want    []string
		corrupt uint64
	}{
		{"names", Options{}, []ring.Record{
			goRec(1, 5), goRec(5, 6), goRec(1, 7), goRec(5, 8), rec(ring.KindEnd, 5, 0, 0), enterRec(8),
		}, []string{
			"main spawn main.1 op go f7 at a.go:9",
			"main.1 spawn main.1.1 op go f7 at a.go:9",
			"main spawn main.2 op go f7 at a.go:9",
			"main.1 spawn main.1.2 op go f7 at a.go:9",
			"main.1 op end",
			"main.1.2 enter g at p.go:3",
		}, 0},
		{"AfterFunc", Options{}, []ring.Record{
			goRec(1, 2),
			{Kind: ring.KindTimerArm, Ctx: 2, Addr: 300, Aux: 8, PC: [3]uint64{4}},
			rec(ring.KindRelease, 2, 300, 0, ring.OpTimer),
			rec(ring.KindEnd, 2, 0, 0),
			rec(ring.KindCtxStart, 1, 9, 0),
			rec(ring.KindAcquire, 9, 300, 0, ring.OpTimer),
			rec(ring.KindTimerArm, 1, 300, 8), // armed again while it fires
			goRec(9, 10),
			enterRec(10),
		}, []string{
			"main spawn main.1 op go f7 at a.go:9",
			"main.1 spawn main.1.1 op go f8 at a.go:4",
			"main.1 op end",
			"main spawn main.2 op go f8",
			"main.1.1 enter g at p.go:3",
		}, 0},
		{"AfterFunc armed again before it fired", Options{}, []ring.Record{
			rec(ring.KindTimerArm, 1, 300, 8),
			rec(ring.KindTimerArm, 1, 300, 8),
			rec(ring.KindCtxStart, 0, 9, 0),
			rec(ring.KindAcquire, 9, 300, 0, ring.OpTimer),
			goRec(9, 10),
			enterRec(10),
		}, []string{
			"main spawn main.1 op go f8",
			"main.1 op end",
			"main spawn main.2 op go f8",
			"main.2 enter g at p.go:3",
		}, 0},
		{"C thread", Options{Env: true}, []ring.Record{
			rec(ring.KindThreadStart, 4, 0, 8),
			rec(ring.KindThreadStart, 5, 0, 8), // shows nothing: no task
			enterRec(4),
			rec(ring.KindThreadStart, 4, 0, 8), // the next thread with the same context
			enterRec(4),
		}, []string{
			"env spawn env.1 op go f8",
			"env.1 enter g at p.go:3",
			"env.1",
			"env.1 exit g",
			"env.1 op end",
			"env spawn env.2 op go f8",
			"env.2 enter g at p.go:3",
		}, 0},
		{"C thread, knowledge from before it became a task", Options{Env: true}, []ring.Record{
			enterRec(1),
			rec(ring.KindRelease, 1, 100, 0),
			rec(ring.KindThreadStart, 4, 0, 8),
			rec(ring.KindAcquire, 4, 100, 0),
			enterRec(4),
		}, []string{
			"main enter g at p.go:3",
			"main",
			"env spawn env.1 op go f8",
			"env.1 enter g at p.go:3 after main/2",
		}, 0},
		{"finalizer: after all that happened", Options{Env: true}, []ring.Record{
			goRec(1, 2), enterRec(2), rec(ring.KindEnd, 2, 0, 0),
			goRec(1, 3), enterRec(3),
			rec(ring.KindThreadStart, 4, 0, 8),
			rec(ring.KindFinGo, 4, 0, 0),
			enterRec(4),
		}, []string{
			"main spawn main.1 op go f7 at a.go:9",
			"main.1 enter g at p.go:3",
			"main.1",
			"main.1 exit g",
			"main.1 op end",
			"main spawn main.2 op go f7 at a.go:9",
			"main.2 enter g at p.go:3",
			"main.2",
			"env spawn env.1 op go f8",
			"env.1 enter g at p.go:3 after main.1/2 after main.2/2",
		}, 0},
		{"traced function on a finalizer goroutine without env", Options{}, []ring.Record{
			rec(ring.KindThreadStart, 4, 0, 8),
			rec(ring.KindAcquire, 4, 100, 0),
			enterRec(4),
		}, nil, 1},
		{"goroutine started by the runtime", Options{}, []ring.Record{
			goRec(0, 4), rec(ring.KindRelease, 4, 100, 0), goRec(0, 1), rec(ring.KindAcquire, 0, 100, 0),
		}, nil, 0},
		{"unknown goroutines", Options{}, []ring.Record{
			enterRec(77), goRec(78, 79), rec(ring.KindHandoff, 1, 100, 80), rec(ring.KindHandoff, 1, 100, 1),
			rec(ring.KindEnd, 1<<47, 0, 0), goRec(1, 0), goRec(1, 1), rec(ring.KindThreadStart, 1, 0, 0),
			rec(99, 1, 0, 0),
		}, nil, 9},
		{"nothing after the end", Options{}, []ring.Record{
			goRec(1, 2), rec(ring.KindEnd, 2, 0, 0), enterRec(2),
		}, []string{
			"main spawn main.1 op go f7 at a.go:9",
			"main.1 op end",
		}, 1},
		{"context far away", Options{}, []ring.Record{
			goRec(1, 1<<40), enterRec(1 << 40), goRec(1<<40, 2),
		}, []string{
			"main spawn main.1 op go f7 at a.go:9",
			"main.1 enter g at p.go:3",
			"main.1 spawn main.1.1 op go f7 at a.go:9",
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProcess(t, testTable(), tt.opt)
			if diff := cmp.Diff(tt.want, lines(run(t, p, tt.records))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s := p.Stats(); s.Corrupt != tt.corrupt {
				t.Errorf("corrupt: %d, want %d; first: %s", s.Corrupt, tt.corrupt, s.First)
			}
		})
	}
}

func TestFrames(t *testing.T) {
	at := func(kind ring.Kind, site, token uint64, payload []byte, arg ...uint64) ring.Record {
		r := rec(kind, 1, site, token, arg...)
		r.Payload = payload
		return r
	}
	for _, tt := range []struct {
		name    string
		records []ring.Record
		want    []string
		corrupt uint64
	}{
		{"values", []ring.Record{
			at(ring.KindEnter, enterF, 1, values(5)),
			at(ring.KindStmt, stmtS, 1, values("a", 9, 6)),
			at(ring.KindStmt, stmtS, 1, values(nil, nil, 7)),
			at(ring.KindStmt, notOurs, 1, values(1)),
			at(ring.KindExit, exitF, 1, values(8)),
		}, []string{
			"main enter f set x=5 at p.go:1",
			"main set x=a global b=6 at p.go:5",
			"main global b=7 at p.go:5",
			"main exit f set r=8 at p.go:2",
		}, 0},
		{"panic and Goexit", []ring.Record{
			at(ring.KindEnter, enterF, 1, values(5)),
			at(ring.KindExit, exitF, 1, nil, ring.ExitPanic),
			at(ring.KindEnter, enterG, 1, nil),
			at(ring.KindExit, exitG, 1, nil, ring.ExitGoexit),
		}, []string{
			"main enter f set x=5 at p.go:1",
			"main exit f op panic at p.go:2",
			"main enter g at p.go:3",
			"main exit g op goexit at p.go:4",
		}, 0},
		{"skipped frames", []ring.Record{
			at(ring.KindEnter, enterG, 1, nil),
			at(ring.KindEnter, enterF, 2, values(1)),
			at(ring.KindEnter, enterF, 3, values(2)),
			at(ring.KindExit, exitG, 1, nil),
			at(ring.KindExit, exitG, 1, nil),
		}, []string{
			"main enter g at p.go:3",
			"main enter f set x=1 at p.go:1",
			"main enter f set x=2 at p.go:1",
			"main exit f",
			"main exit f",
			"main exit g at p.go:4",
		}, 1},
		{"recursion: the token tells which frame", []ring.Record{
			at(ring.KindEnter, enterG, 1, nil),
			at(ring.KindEnter, enterG, 2, nil),
			at(ring.KindEnter, enterG, 3, nil),
			at(ring.KindExit, exitG, 2, nil),
			at(ring.KindExit, exitG, 99, nil), // unknown token: the innermost
		}, []string{
			"main enter g at p.go:3",
			"main enter g at p.go:3",
			"main enter g at p.go:3",
			"main exit g",
			"main exit g at p.go:4",
			"main exit g at p.go:4",
		}, 0},
		{"scribbled values", []ring.Record{
			at(ring.KindEnter, enterF, 1, nil),
			at(ring.KindStmt, stmtS, 1, []byte{1, 0xff}),
			at(ring.KindStmt, stmtS, 1, []byte{2}),
			at(ring.KindStmt, 1<<60, 1, nil),
			at(ring.KindStmt, enterF, 1, nil),
		}, []string{
			"main enter f at p.go:1",
			"main at p.go:5",
			"main at p.go:5",
		}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProcess(t, testTable(), Options{})
			if diff := cmp.Diff(tt.want, lines(run(t, p, tt.records))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s := p.Stats(); s.Corrupt != tt.corrupt {
				t.Errorf("corrupt: %d, want %d; first: %s", s.Corrupt, tt.corrupt, s.First)
			}
		})
	}
}
