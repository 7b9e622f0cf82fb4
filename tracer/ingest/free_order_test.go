package ingest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/trace"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/antichain-go/antichain/tracer/ingest/gotrace"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// simulate makes up a log of two locks and says for each line which ones it comes after beside
// those of its thread: without what locks order.
func simulate(t *rapid.T) (log string, joins map[int]bool) {
	var lines []string
	holder, joins := map[string]string{}, map[int]bool{}
	started, ended := map[string]bool{"T0": true}, map[string]bool{}
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		thread, lock := rapid.SampledFrom([]string{"T0", "T1", "T2"}).Draw(t, "thread"),
			rapid.SampledFrom([]string{"L", "M"}).Draw(t, "lock")
		switch {
		case ended[thread]:
		case !started[thread]:
			started[thread] = true
			lines = append(lines, "T0|fork("+thread+")|1")
		case holder[lock] == thread:
			delete(holder, lock)
			lines = append(lines, thread+"|rel("+lock+")|2")
		case holder[lock] == "":
			holder[lock] = thread
			lines = append(lines, thread+"|acq("+lock+")|3")
		case thread != "T0" && holder["L"] != thread && holder["M"] != thread:
			ended[thread], joins[len(lines)] = true, true
			lines = append(lines, "T0|join("+thread+")|4")
		default:
			lines = append(lines, thread+rapid.SampledFrom([]string{"|w(x)|5", "|r(x)|5", "|w(y)|7", "|r(y)|7"}).Draw(t,
				"access"))
		}
	}
	return strings.Join(append(lines, "T0|w(x)|6"), "\n") + "\n", joins
}

// sees returns for each line of a log that reads the line of another thread that it has seen, -1 if
// there is none.
func sees(log string) map[int]int {
	seen := map[int]int{}
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		thread, does, _ := strings.Cut(line, "|")
		if !strings.HasPrefix(does, "r(") {
			continue
		}
		seen[i] = -1
		for j := i - 1; j >= 0; j-- {
			if by, did, _ := strings.Cut(lines[j], "|"); strings.HasPrefix(did, "w"+does[1:4]) {
				if by != thread {
					seen[i] = j
				}
				break
			}
		}
	}
	return seen
}

// readStd reads a log of a race detector: all events of the run, and those without the order of its
// sections.
func readStd(t *rapid.T, log string) (h *event.Header, free ingest.FreeOrder, all, kept []*event.Event) {
	r := std.NewReader(strings.NewReader(log), "log", std.Options{})
	free, err := ingest.NewFreeOrder(r, func(e *event.Event) error {
		kept = append(kept, e.Clone())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for {
		e := new(event.Event)
		if err := r.Next(e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		if err := free.Add(e); err != nil {
			t.Fatal(err)
		}
		if e.IsAction() {
			all = append(all, e.Clone())
		}
	}
	if err := free.Finish(); err != nil || len(kept) != len(all) {
		t.Fatalf("%v, %d events of %d", err, len(kept), len(all))
	}
	return free.Header(), free, all, kept
}

// All states that the order of a log leads to are among those without the order of its sections.
func TestRunWithinFreeOrderOfSTD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, _ := simulate(t)
		h, _, all, kept := readStd(t, log)
		run := slices.NewLattice(santest.Trace{Header: h, Events: all}.MustBuild())
		free := slices.NewLattice(santest.Trace{Header: h, Events: kept}.MustBuild())
		sections := slices.NewSections(free)
		counts := make([]int, run.Net().Tasks())
		for a := range run.Net().Order() {
			for b := range run.Net().Order() {
				slice := run.Down(a).Join(run.Down(b))
				for n := range counts {
					counts[n] = slice.At(san.Task(n))
				}
				i, ok := free.Ideal(counts)
				if closed, valid := sections.Closure(i); !ok || !valid || !closed.Equal(i) {
					t.Fatalf("%v is missing\n%s", slice, log)
				}
			}
		}
	})
}

// Of a log of a race detector the same events are left, and joins alone come after others. Reads
// have seen what was written last.
func TestFreeOrderOfSTD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, joins := simulate(t)
		_, free, all, kept := readStd(t, log)
		if reads := strings.Contains(log, "|r("); free.ShowsReads() != reads || (free.Open() == "") != reads {
			t.Fatalf("shows reads: %v, open: %q\n%s", free.ShowsReads(), free.Open(), log)
		}
		after, line, events := 0, -1, map[string]int{}
		lines, seen := map[event.Ref]int{}, sees(log) // ends of threads have no line
		for i, e := range kept {
			events[e.Task]++
			if e.Op != event.OpEnd {
				line++
				lines[event.Ref{Task: e.Task, K: events[e.Task]}] = line
			}
			want, reads := seen[line]
			if e.Op == event.OpEnd || !reads || want < 0 {
				if len(e.Seen) > 0 {
					t.Fatalf("%s of %s has seen %v\n%s", e.Op, e.Task, e.Seen, log)
				}
			} else if len(e.Seen) != 1 || lines[e.Seen[0]] != want {
				t.Fatalf("line %d has seen %v, want line %d\n%s", line+1, e.Seen, want+1, log)
			}
			e.Seen = nil
			if len(e.After) > 0 {
				after++
				if e.Op != "join" {
					t.Fatalf("%s of %s comes after %v", e.Op, e.Task, e.After)
				}
			}
			e.After, all[i].After = nil, nil
			if diff := cmp.Diff(fmt.Sprintf("%+v", all[i]), fmt.Sprintf("%+v", e)); diff != "" {
				t.Fatal(diff)
			}
		}
		if after != len(joins) {
			t.Fatalf("%d of %d joins come after something\n%s", after, len(joins), log)
		}
	})
}

// Logs that do not show the owners of locks are refused.
func TestFreeOrderOfOthers(t *testing.T) {
	mapping, err := ndjson.ParseMapping("mapping", []byte(`{"task": "svc", "event": "msg"}`))
	if err != nil {
		t.Fatal(err)
	}
	json, err := ndjson.Read(strings.NewReader(`{"svc":"a","msg":"m"}`+"\n"), "log", mapping, ndjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clocks, err := shiviz.NewReader(strings.NewReader("one\na {\"a\":1}\n"), "log", shiviz.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := event.Open(strings.NewReader(`{"antichain":1,"tasks":["a"]}`+"\n"), "trace")
	if err != nil {
		t.Fatal(err)
	}
	var execution bytes.Buffer
	if err := trace.Start(&execution); err != nil {
		t.Fatal(err)
	}
	trace.Log(t.Context(), "a", "b")
	trace.Stop()
	for want, r := range map[string]event.Reader{
		"do not order the lines":         json[0],
		"vector clocks":                  clocks,
		"the trace has no":               text,
		"does not show who holds a lock": gotrace.NewReader(&execution, "log", gotrace.Options{}),
		"no event in the log":            std.NewReader(strings.NewReader(""), "log", std.Options{}),
	} {
		if _, err := ingest.NewFreeOrder(r, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
