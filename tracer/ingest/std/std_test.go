package std

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// readAll returns the trace of a log, as far as it goes, without what is no action of a thread.
func readAll(text string, o Options) (santest.Trace, error) {
	tr, err := readOperations(text, o)
	tr.Events = slices.DeleteFunc(tr.Events, func(e *event.Event) bool { return !e.IsAction() })
	return tr, err
}

// readOperations returns the trace of a log with that.
func readOperations(text string, o Options) (santest.Trace, error) {
	return santest.Collect(NewReader(strings.NewReader(text), "log", o))
}

func TestExample(t *testing.T) {
	text, err := os.ReadFile("testdata/example.std")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := readOperations(string(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := tr.Text()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/example.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Error(d)
	}
	tr.MustBuild()
}

func TestWrong(t *testing.T) {
	for _, tt := range []struct{ name, log, want string }{
		{"nothing", "\n", "log: no event in the log"},
		{"no bar", "T0", `log:1: "T0" is no operation`},
		{"no thread", "|r(x)|1", `log:1: "|r(x)|1" is no operation`},
		{"no place", "T0|r(x)|1\nT0|r(x)", `log:2: "T0|r(x)" has no place`},
		{"cut off", "T0|r(x", `log:1: "T0|r(x" has no place`},
		{"parenthesis", "T0|r(x|1", `log:1: the operand of "r(x" has no end`},
		{"operation", "T0|rd(x)|1", `log:1: unknown operation "rd"`},
		{"operand", "T0|acq|1", `log:1: acq without an operand`},
		{"empty operand", "T0|w()|1", `log:1: w without an operand`},
		{"two holders", "T0|acq(m)|1\n\nT1|acq(m)|2", `log:3: thread "T1" acquires lock "m", which thread "T0" holds`},
		{"not held", "T0|rel(m)|1", `log:1: thread "T0" releases lock "m", which it does not hold`},
		{"held by another", "T0|acq(m)|1\nT1|rel(m)|1", `log:2: thread "T1" releases lock "m"`},
		{"released", "T0|acq(m)|1\nT0|rel(m)|1\nT0|rel(m)|1", `log:3: thread "T0" releases lock "m"`},
		{"before fork", "T1|r(x)|1\nT0|fork(T1)|1", `log:2: thread "T1" is forked, but it was there before`},
		{"forked by two", "T0|fork(T1)|1\nT2|fork(T1)|1", `log:2: thread "T1" is forked`},
		{"forked and joined", "T0|fork(T1)|1\nT0|join(T1)|2\nT0|fork(T1)|3", `log:3: thread "T1" is forked`},
		{"forks itself", "T0|fork(T0)|1", `log:1: thread "T0" is forked`},
		{"joins itself", "T0|join(T0)|1", `log:1: thread "T0" joins itself`},
		{"after join", "T0|fork(T1)|1\nT0|join(T1)|1\nT1|r(x)|1", `log:3: an event of thread "T1", which was joined`},
		{"end", "T0|begin|1\nT0|end|1\nT0|end|1", `log:3: end of a transaction of thread "T0"`},
		{"long", strings.Repeat("x", maxLine+1), "log:1: a line of more than"},
		{"not printable", "T0|\x1b(x)|1", `log:1: unknown operation "\x1b"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readAll(tt.log, Options{})
			var e *event.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%v, not %s", err, tt.want)
			}
		})
	}
}

// Events before a mistake are delivered, and the mistake then repeatedly.
func TestBeforeMistake(t *testing.T) {
	r := NewReader(strings.NewReader("T0|r(x)|1\nT0|r(y)|1\nT0"), "log", Options{})
	var e event.Event
	for i := range 5 {
		err := r.Next(&e)
		for err == nil && !e.IsAction() {
			err = r.Next(&e)
		}
		if want := i >= 2; want != (err != nil) {
			t.Errorf("event %d: %v", i, err)
		}
	}
	if r.Pos() != "log:2" {
		t.Error(r.Pos())
	}
}

func TestLimit(t *testing.T) {
	const text = "T0|r(x)|1\nT0|r(x)|1\n"
	if tr, err := readAll(text, Options{Size: int64(len(text))}); err != nil || len(tr.Events) != 2 {
		t.Error(tr, err)
	}
	if _, err := readAll(text, Options{Size: int64(len(text)) - 1}); err == nil ||
		!strings.Contains(err.Error(), "more than 19 bytes") {
		t.Error(err)
	}
}

// line is an operation of a random log.
type line struct{ thread, op, operand string }

func (l line) String() string { return l.thread + "|" + l.op + "(" + l.operand + ")|1" }

// drawLog draws a run of threads with locks.
func drawLog(t *rapid.T) []line {
	src := santest.Rapid(t)
	pick := func(all []string) string { return all[src.Intn(len(all))] }
	live := []string{"T0", "T1"}
	started, forked := map[string]bool{"T0": true}, 1
	holder, depth := map[string]string{}, map[string]int{}
	var lines []line
	for range src.Intn(40) {
		thread, lock := pick(live), pick([]string{"m", "n"})
		l := line{thread, pick([]string{"r", "w"}), pick([]string{"x", "y"})}
		switch src.Intn(6) {
		case 0, 1:
			if depth[lock] > 0 && holder[lock] != thread {
				continue
			}
			l.op, l.operand = "acq", lock
			holder[lock] = thread
			depth[lock]++
		case 2:
			if depth[lock] == 0 || holder[lock] != thread {
				continue
			}
			l.op, l.operand = "rel", lock
			depth[lock]--
		case 3:
			forked++
			l.op, l.operand = "fork", fmt.Sprint("T", forked)
			live = append(live, l.operand)
		case 4:
			l.op, l.operand = "join", pick(live)
			if l.operand == thread {
				continue
			}
			var left []string
			for _, u := range live {
				if u != l.operand {
					left = append(left, u)
				}
			}
			live = left
		}
		started[thread] = true
		lines = append(lines, l)
	}
	return lines
}

// precedes is the order of the lines by its definition, the transitive closure of what each pair of
// lines says.
func precedes(lines []line) [][]bool {
	return santest.Closure(len(lines), func(i, j int) bool {
		a, b := lines[i], lines[j]
		same := a.operand == b.operand
		return a.thread == b.thread || a.op == "fork" && (a.operand == b.thread || b.op == "join" && same) ||
			b.op == "join" && b.operand == a.thread || a.op == "rel" && b.op == "acq" && same
	})
}

// TestOrder compares the order of random logs with its definition.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLog(t)
		if len(lines) == 0 {
			return
		}
		var text strings.Builder
		for _, l := range lines {
			fmt.Fprintln(&text, l)
		}
		tr, err := readAll(text.String(), Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		net := tr.MustBuild()
		events := map[string]int32{}
		actions := make([]san.Action, len(lines))
		for i, l := range lines {
			events[l.thread]++
			task, ok := net.Lookup(l.thread)
			if !ok {
				t.Fatalf("no task %s", l.thread)
			}
			actions[i] = san.Action{Task: task, K: events[l.thread]}
		}
		for i, row := range precedes(lines) {
			for j, want := range row {
				if got := net.Precedes(actions[i], actions[j]); got != want {
					t.Fatalf("line %d before line %d: %v, not %v\n%s", i+1, j+1, got, want, text.String())
				}
			}
		}
	})
}

// FuzzLog feeds arbitrary logs: what is accepted is a trace.
func FuzzLog(f *testing.F) {
	text, err := os.ReadFile("testdata/example.std")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("T0|fork(T1)|1\nT1|acq(m)|2\r\nT1|rel(m)|\nT0|join(T1)|a:1\n")
	f.Add("T0|begin(a)|1\nT0|end(a)|1\nT0|join(T1)|2\nT0|join(T1)|")
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := readAll(text, Options{})
		if err != nil {
			var e *event.Error
			if !errors.As(err, &e) || event.Printable(e.Reason) != e.Reason {
				t.Fatalf("%q", err)
			}
			return
		}
		if _, err := tr.Build(); err != nil {
			t.Fatalf("not a trace: %v", err)
		}
	})
}

// A log that is read twice is the same trace as one whose lines are kept, even if it has an error.
func TestTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for _, l := range drawLog(t) {
			fmt.Fprintln(&text, l)
		}
		if rapid.IntRange(0, 3).Draw(t, "wrong") == 0 {
			text.WriteString(rapid.SampledFrom([]string{"T0|rel(z)|1\n", "T0\n", "T0|fork(T0)|1\n"}).Draw(t, "line"))
		}
		kept, wantErr := readOperations(text.String(), Options{})
		again := func() (io.Reader, error) { return strings.NewReader(text.String()), nil }
		twice, err := readOperations(text.String(), Options{Again: again})
		if d := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(err)); d != "" {
			t.Fatal(d)
		}
		if wantErr != nil && len(kept.Events) == 0 {
			return
		}
		want, _ := kept.Text()
		if got, _ := twice.Text(); got != want {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}

// A trace without operations is the one with them, but for these.
func TestOmitOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for _, l := range drawLog(t) {
			fmt.Fprintln(&text, l)
		}
		want, wantErr := readAll(text.String(), Options{})
		r := NewReader(strings.NewReader(text.String()), "log", Options{})
		r.OmitOperations()
		got, err := santest.Collect(r)
		if d := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(err)); d != "" {
			t.Fatal(d)
		}
		if err != nil {
			return
		}
		if want.Header.Operations == nil || got.Header.Operations != nil {
			t.Fatal(want.Header.Operations, got.Header.Operations)
		}
		want.Header.Operations = nil
		wantText, _ := want.Text()
		if text, err := got.Text(); err != nil || text != wantText {
			t.Fatal(err, cmp.Diff(wantText, text))
		}
	})
}

// A log that has become another one when it is read again is an error.
func TestChanged(t *testing.T) {
	for text, want := range map[string]string{
		"T0|w(x)|1\n":                "the log is shorter than before",
		"T0|w(x)|1\nT0|acq(new)|2\n": "the log has other lines than before",
		"T0|w(x)|1\nT9|w(x)|2\n":     "the log has other lines than before",
		"T0|w(x)|2\nT0|w(x)|1\n":     "the log has other lines than before", // with the same names
		"T0|w(x)|1\nT0|r(x)|2\n":     "the log has other lines than before",
		// which cannot have happened
		"T0|w(x)|1\nT0|rel(x)|2\n": "the log has other lines than before",
		"T0|rel(x)|1\nT0|w(x)|2\n": "the log has other lines than before",
		"T0|w(x)|1\nT0|new(x)|2\n": "the log has other lines than before",
		"T0|w(x)|1\n\nT0|w(x)|2\n": "the log has other lines than before",
	} {
		again := func() (io.Reader, error) { return strings.NewReader(text), nil }
		if _, err := readAll("T0|w(x)|1\nT0|w(x)|2\n", Options{Again: again}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A thread that waits releases the lock, however often it has acquired it, and has it as often
// afterwards.
func TestWait(t *testing.T) {
	tr, err := readAll("T0|acq(m)|1\nT0|acq(m)|2\nT0|wait(m)|3\nT1|acq(m)|4\nT1|notifyAll(m)|5\nT1|rel(m)|6\nT0|acq(m)|7\nT0|rel(m)|8\nT0|rel(m)|9\n", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var ops []string
	for _, e := range tr.Events {
		ops = append(ops, e.Task+" "+e.Op)
	}
	want := []string{"T0 lock", "T0 acq", "T0 unlock", "T1 lock", "T1 broadcast", "T1 unlock", "T0 lock", "T0 rel",
		"T0 unlock"}
	if d := cmp.Diff(want, ops); d != "" {
		t.Error(d)
	}
	if _, err := readAll("T0|wait(m)|1\n", Options{}); err == nil ||
		!strings.Contains(err.Error(), "which it does not hold") {
		t.Error(err)
	}
}
