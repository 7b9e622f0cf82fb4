package gotrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	exptrace "golang.org/x/exp/trace"
	"pgregory.net/rapid"
)

// read reads a trace, as far as it goes.
func read(in io.Reader, o Options) (santest.Trace, error) {
	return santest.Collect(NewReader(in, "trace", o))
}

// record takes an execution trace of f.
func record(t testing.TB, f func()) []byte {
	t.Helper()
	if trace.IsEnabled() {
		t.Skip("the test is being traced itself")
	}
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	f()
	trace.Stop()
	return b.Bytes()
}

// shop is a program with a worker that waits for a job.
func shop(t *testing.T) {
	jobs, back := make(chan context.Context), make(chan bool)
	go worker(jobs, back)
	go aside()
	synctest.Wait() // the worker waits
	ctx, task := trace.NewTask(context.Background(), "order")
	trace.WithRegion(ctx, "prepare", func() {})
	jobs <- ctx
	<-back
	task.End()
	trace.Log(ctx, "", "done")
}

func worker(jobs chan context.Context, back chan bool) {
	ctx := <-jobs
	trace.WithRegion(ctx, "pack", func() {
		trace.Log(ctx, "parcel", "p1")
	})
	synctest.Wait() // main waits
	back <- true
}

func aside() {
	trace.WithRegion(context.Background(), "clean", func() {})
}

// find returns the only event for which is holds, as an action of the net.
func find(t *testing.T, tr santest.Trace, net *san.Net, what string, is func(*event.Event) bool) san.Action {
	t.Helper()
	events := map[string]int32{}
	var found []san.Action
	for _, e := range tr.Events {
		events[e.Task]++
		if is(e) {
			task, _ := net.Lookup(e.Task)
			found = append(found, san.Action{Task: task, K: events[e.Task]})
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d times %s", len(found), what)
	}
	return found[0]
}

func entering(name string) func(*event.Event) bool {
	return func(e *event.Event) bool { return e.Enter == name }
}

func setting(text string) func(*event.Event) bool {
	return func(e *event.Event) bool { return strings.Contains(fmt.Sprint(e.Set, e.Global), text) }
}

// TestProgram reads a trace of this Go version.
func TestProgram(t *testing.T) {
	text := record(t, func() { synctest.Test(t, shop) })
	tr, err := read(bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Header.Caveat != Caveat {
		t.Errorf("caveat %q", tr.Header.Caveat)
	}
	net := tr.MustBuild()
	started := find(t, tr, net, "start of the worker", entering("gotrace.worker"))
	prepare := find(t, tr, net, "region prepare", entering("prepare"))
	pack := find(t, tr, net, "region pack", entering("pack"))
	clean := find(t, tr, net, "region clean", entering("clean"))
	begun := find(t, tr, net, "begin of the task", setting("begun"))
	ended := find(t, tr, net, "end of the task", setting("ended"))
	done := find(t, tr, net, "log", setting("done"))
	packed := find(t, tr, net, "exit of pack", func(e *event.Event) bool { return e.Exit == "pack" })
	for _, tt := range []struct {
		name string
		a, b san.Action
		want bool
	}{
		// no goroutine wakes what waits in synctest.Wait
		{"start, prepare", started, prepare, false},
		{"prepare, pack", prepare, pack, true},
		{"task, pack", begun, pack, true},
		{"pack, clean", pack, clean, false},
		{"prepare, clean", prepare, clean, false},
		{"packed, ended", packed, ended, true},
		{"ended, done", ended, done, true},
	} {
		if got := net.Precedes(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	for _, e := range tr.Events {
		switch {
		case e.Enter == "pack" && fmt.Sprint(e.Set[0].Value.Fields()[0]) != `{type "order"}`,
			e.Enter == "pack" && !strings.Contains(e.At, "gotrace_test.go:"),
			e.Enter == "gotrace.worker" && !strings.Contains(e.At, "gotrace_test.go:"),
			strings.HasPrefix(e.Task, "gotrace.worker ") && e.Op == event.OpEnd && e.Exit != "gotrace.worker",
			strings.HasPrefix(e.Task, "runtime"):
			t.Errorf("%+v", e)
		}
	}
}

// The runtime's own goroutines are none of the program's.
func TestNothing(t *testing.T) {
	var n atomic.Int64
	var err error
	for range 50 { // what other tests have left may do something meanwhile
		text := record(t, func() { n.Add(1) })
		if _, err = read(bytes.NewReader(text), Options{}); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "the trace has no event of a goroutine (annotate") {
		t.Error(err)
	}
}

func TestWrong(t *testing.T) {
	text := record(t, func() { synctest.Test(t, shop) })
	for _, tt := range []struct {
		name string
		text []byte
		size int64
		want string
	}{
		{"empty", nil, 0, "trace: no Go execution trace, or a broken one: "},
		{"text", []byte(`{"antichain":1,"tasks":["main"]}`), 0, "trace: no Go execution trace, or a broken one: "},
		{"cut off", text[:len(text)/2], 0, "no Go execution trace, or a broken one: "},
		{"large", text, int64(len(text) - 1),
			fmt.Sprintf("an execution trace of more than %d bytes (trace a shorter time)", len(text)-1)},
	} {
		_, err := read(bytes.NewReader(tt.text), Options{Size: tt.size})
		var e *event.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := read(bytes.NewReader(text), Options{Size: int64(len(text))}); err != nil {
		t.Error(err)
	}
	broken := errors.New("no more")
	if _, err := read(io.MultiReader(bytes.NewReader(text[:100]), failingReader{broken}), Options{}); !errors.Is(err,
		broken) {
		t.Error(err)
	}
}

type failingReader struct{ error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.error }

// step is what a goroutine does in a random program.
type step struct {
	by, on exptrace.GoID // on is who is created or woken, else 0
	wakes  bool
	mark   string // a log message, else ""
}

// drawSteps draws a program of goroutines that create and wake each other.
func drawSteps(t *rapid.T) []step {
	src := santest.Rapid(t)
	goroutines := []exptrace.GoID{1, 2}
	var steps []step
	for i := range src.Intn(40) {
		s := step{by: goroutines[src.Intn(len(goroutines))]}
		switch src.Intn(4) {
		case 0:
			s.on = exptrace.GoID(len(goroutines) + 1)
			goroutines = append(goroutines, s.on)
		case 1, 2:
			s.on, s.wakes = goroutines[src.Intn(len(goroutines))], true
			if s.on == s.by {
				continue
			}
		default:
			s.mark = fmt.Sprint(i)
		}
		steps = append(steps, s)
	}
	return steps
}

// traceEvents is what an execution trace has for a step.
func (s step) traceEvent(t *rapid.T) exptrace.Event {
	if s.mark != "" {
		return makeEvent(t, s.by, exptrace.EventLog, exptrace.Log{Category: "mark", Message: s.mark})
	}
	transition := exptrace.MakeGoStateTransition(s.on, exptrace.GoNotExist, exptrace.GoRunnable)
	if s.wakes {
		transition = exptrace.MakeGoStateTransition(s.on, exptrace.GoWaiting, exptrace.GoRunnable)
	}
	return makeEvent(t, s.by, exptrace.EventStateTransition, transition)
}

func makeEvent[T exptrace.EventDetails](t *rapid.T, by exptrace.GoID, kind exptrace.EventKind,
	details T) exptrace.Event {
	e, err := exptrace.MakeEvent(exptrace.EventConfig[T]{Kind: kind, Goroutine: by, Details: details})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// closure is the order of the steps by its definition: those of one goroutine, a creation and a
// waking before what is done then by who was created or woken.
func closure(steps []step) [][]bool {
	return santest.Closure(len(steps), func(i, j int) bool {
		a, b := steps[i], steps[j]
		return a.by == b.by || a.on == b.by
	})
}

// TestOrder compares the order of what is annotated in random programs with its definition.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := drawSteps(t)
		r := newRun("trace")
		for _, s := range steps {
			e := s.traceEvent(t)
			r.add(&e)
		}
		if len(r.initial) == 0 {
			return
		}
		tr := santest.Trace{Header: &event.Header{Version: 1, Tasks: r.initial}}
		for i := range r.events {
			tr.Events = append(tr.Events, &r.events[i])
		}
		net := tr.MustBuild()
		actions := map[string]san.Action{}
		events := map[string]int32{}
		for _, e := range tr.Events {
			events[e.Task]++
			task, _ := net.Lookup(e.Task)
			for _, b := range e.Global {
				actions[b.Value.Str()] = san.Action{Task: task, K: events[e.Task]}
			}
		}
		for i, row := range closure(steps) {
			for j, want := range row {
				a, b := steps[i].mark, steps[j].mark
				if a != "" && b != "" && net.Precedes(actions[a], actions[b]) != want {
					t.Fatalf("%s before %s: not %v\n%+v", a, b, want, steps)
				}
			}
		}
	})
}

// FuzzTrace feeds arbitrary traces: what is accepted can be built.
func FuzzTrace(f *testing.F) {
	f.Add(record(f, func() {
		trace.WithRegion(f.Context(), "region", func() { trace.Log(f.Context(), "k", "v") })
	}))
	f.Add([]byte("go 1.21 trace\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tr, err := read(bytes.NewReader(text), Options{})
		if err != nil {
			var e *event.Error
			if !errors.As(err, &e) || event.Printable(e.Reason) != e.Reason {
				t.Fatalf("%q", err)
			}
		}
		if tr.Header == nil {
			return
		}
		if _, err := tr.Build(); err != nil {
			t.Fatalf("not a trace: %v", err)
		}
	})
}
