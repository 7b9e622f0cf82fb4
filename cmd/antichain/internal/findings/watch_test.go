package findings

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// noNames knows numbers only.
type noNames struct{}

func (noNames) Task(t op.Task) op.Origin {
	return op.Origin{Name: fmt.Sprintf("task %d", t), Function: fmt.Sprintf("main.f%d", t), By: op.NoTask}
}
func (noNames) Object(o op.Object) string    { return fmt.Sprintf("mutex %d", o) }
func (noNames) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("a.go:%d", p)} }
func whole() *launch.Result {
	return &launch.Result{Complete: true, Program: ring.Identity{Operations: true}}
}
func unlocks(w *Watch, places ...op.Place) {
	for i, at := range places {
		w.Op(&op.Op{Kind: op.Misuse, Task: 0, K: int32(i + 1), Other: op.NoTask, Object: op.Object(i + 1), At: at, Arg: int64(op.UnlockUnlocked)})
	}
}

// judge returns the verdicts and what was reported.
func judge(t *testing.T, w *Watch, c check.Checker, h *event.Header, ended *launch.Result) (Summary, string) {
	t.Helper()
	var out, mistakes bytes.Buffer
	c.Stdout, c.Stderr = &out, &mistakes
	s, results := w.Judge(t.Context(), &c, noNames{}, h, ended)
	if err := Write(&c, "trace", results); err != nil || mistakes.Len() > 0 {
		t.Errorf("%v, %s", err, &mistakes)
	}
	return s, out.String()
}

func TestNewWatch(t *testing.T) {
	leak := specfile.Functions{MustFinish: []string{"worker"}}
	for _, test := range []struct {
		on        []builtin.Property
		functions specfile.Functions
		want      []builtin.Property
	}{
		{nil, leak, nil},
		{[]builtin.Property{builtin.Leak}, specfile.Functions{}, nil},
		{[]builtin.Property{builtin.Leak}, leak, []builtin.Property{builtin.Leak}},
		{[]builtin.Property{builtin.Stuck, builtin.Leak}, specfile.Functions{}, []builtin.Property{builtin.Stuck}},
	} {
		w := NewWatch(t.Context(), test.on, test.functions, nil)
		var on []builtin.Property
		if w != nil {
			on = w.on
		}
		if (w == nil) != (test.want == nil) || !slices.Equal(on, test.want) {
			t.Errorf("%v, %+v: %v, want %v", test.on, test.functions, on, test.want)
		}
	}
}

// A watch for nothing asks nothing of the run, and has nothing to say.
func TestWatchForNothing(t *testing.T) {
	var w *Watch
	var cfg launch.Config
	w.Configure(&cfg, false, report.Source{})
	if cfg.Enough != nil || cfg.Accesses {
		t.Error("the run is watched")
	}
	if s, out := judge(t, w, check.Checker{}, nil, whole()); s.Text() != "" || out != "" {
		t.Error(s, out)
	}
}

func TestAccessesAreAskedFor(t *testing.T) {
	for p, want := range map[builtin.Property]bool{builtin.Stuck: false, builtin.Copy: true, builtin.Race: true} {
		var cfg launch.Config
		NewWatch(t.Context(), []builtin.Property{builtin.Deadlock, p}, specfile.Functions{}, nil).Configure(&cfg, false, report.Source{})
		if cfg.Enough == nil || cfg.Accesses != want {
			t.Errorf("%s: accesses %v, want %v", p, cfg.Accesses, want)
		}
	}
}

func TestUnwatched(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Stuck}
	w := NewWatch(t.Context(), on, specfile.Functions{}, []string{"stuck: who waits", "stuck: timers", "race: atomics"})
	s, _ := judge(t, w, check.Checker{}, nil, whole())
	if want := map[builtin.Property]string{builtin.Stuck: "the program was traced without who waits"}; !maps.Equal(s.Unwatched, want) || !s.IsUnknown() {
		t.Errorf("%v, want %v", s.Unwatched, want)
	}
	text := s.Text()
	for _, part := range []string{"stuck: unknown: the program was traced without who waits\n", "built-in properties: no violation (deadlock; off: "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q has no %q", text, part)
		}
	}
}

func TestJudge(t *testing.T) {
	on := []builtin.Property{builtin.Deadlock, builtin.Unlock}
	untraced := &event.Header{Instrumented: &event.Instrumentation{Untraced: []string{"sync.Cond"}}}
	for _, test := range []struct {
		name    string
		on      []builtin.Property
		header  *event.Header
		change  func(*launch.Result)
		unknown string // part of why; "" for a verdict
	}{
		{"all is known", on, nil, func(*launch.Result) {}, ""},
		{"a header that says nothing", on, new(event.Header), func(*launch.Result) {}, ""},
		{"not read to its end", on, nil, func(r *launch.Result) { r.Complete = false }, "not read to its end"},
		{"records are missing", on, nil, func(r *launch.Result) { r.Missing, r.Why = 1, "a full ring" }, "1 record of the program lost: a full ring"},
		{"untraced", on, untraced, func(*launch.Result) {}, "traced without sync.Cond"},
		{"no operations", on, nil, func(r *launch.Result) { r.Program.Operations = false }, errNoOperations.Error()},
		{"no accesses", []builtin.Property{builtin.Unlock, builtin.Race}, nil, func(*launch.Result) {}, errNoAccesses.Error()},
		{"accesses", []builtin.Property{builtin.Unlock, builtin.Race}, nil, func(r *launch.Result) { r.Program.Accesses = true }, ""},
	} {
		w := NewWatch(t.Context(), test.on, specfile.Functions{}, nil)
		ended := whole()
		test.change(ended)
		s, out := judge(t, w, check.Checker{}, test.header, ended)
		runs := 1
		if test.unknown != "" {
			runs = 0
		}
		if !strings.Contains(s.Unknown, test.unknown) || s.IsUnknown() != (test.unknown != "") || s.Runs != runs || len(s.Violated) > 0 || out != "" {
			t.Errorf("%s: %+v, %q", test.name, s, out)
		}
	}
}

// Accesses are not missed where no verdict on what needs them is given anyway.
func TestUnwatchedNeedsNoAccesses(t *testing.T) {
	w := NewWatch(t.Context(), []builtin.Property{builtin.Unlock, builtin.Race}, specfile.Functions{}, []string{"race: atomics"})
	if s, _ := judge(t, w, check.Checker{}, nil, whole()); s.Unknown != "" || s.Runs != 1 {
		t.Errorf("%+v", s)
	}
}

func TestFindings(t *testing.T) {
	w := NewWatch(t.Context(), []builtin.Property{builtin.Deadlock, builtin.Unlock}, specfile.Functions{}, nil)
	unlocks(w, 7)
	s, out := judge(t, w, check.Checker{Settings: check.Settings{Style: report.Style{Again: "antichain again"}}}, nil, whole())
	if !slices.Equal(s.Violated, []builtin.Property{builtin.Unlock}) {
		t.Errorf("violated: %v", s.Violated)
	}
	if !strings.HasPrefix(out, "unlock: ") || !strings.Contains(out, "a.go:7") || !strings.HasSuffix(out, "Show it again:\n    antichain again\n\n") {
		t.Error(out)
	}
}

func TestFindingsAsJSON(t *testing.T) {
	w := NewWatch(t.Context(), []builtin.Property{builtin.Deadlock, builtin.Unlock}, specfile.Functions{}, nil)
	unlocks(w, 7)
	_, out := judge(t, w, check.Checker{Settings: check.Settings{JSON: true}}, nil, whole())
	verdicts := map[string]string{}
	for line := range strings.Lines(out) {
		var result struct{ Builtin, Verdict, Trace string }
		if err := json.Unmarshal([]byte(line), &result); err != nil || result.Trace != "trace" {
			t.Errorf("%v in %s", err, line)
		}
		verdicts[result.Builtin] = result.Verdict
	}
	if want := map[string]string{"deadlock": "holds", "unlock": "violated"}; !maps.Equal(verdicts, want) {
		t.Errorf("%v, want %v", verdicts, want)
	}
}

// The first findings are told in full, the others in a line, unless all are asked for.
func TestManyFindings(t *testing.T) {
	for _, test := range []struct {
		findings int
		all      bool
		hint     bool
	}{{fullFindings, false, false}, {fullFindings + 1, false, true}, {fullFindings + 1, true, false}} {
		w := NewWatch(t.Context(), []builtin.Property{builtin.Unlock}, specfile.Functions{}, nil)
		var places []op.Place
		for i := range test.findings {
			places = append(places, op.Place(i+1))
		}
		unlocks(w, places...)
		_, out := judge(t, w, check.Checker{Settings: check.Settings{ViolationFlags: check.ViolationFlags{All: test.all}}}, nil, whole())
		if got := strings.Count(out, "unlock: "); got != test.findings {
			t.Errorf("%d of %d findings", got, test.findings)
		}
		if got := strings.Contains(out, "--all shows all of them"); got != test.hint {
			t.Errorf("%d findings, all %v: hint %v, want %v", test.findings, test.all, got, test.hint)
		}
	}
}

// Where there is no more memory the run goes on without its watch, and there is no verdict. Where
// there is no more time, or nobody wants to wait, what was found stands.
func TestRestIsNotWatched(t *testing.T) {
	for _, tt := range []struct {
		why      error
		unknown  string
		violated []builtin.Property
	}{
		{&budget.MemoryError{Limit: 1 << 20}, "the memory limit of 1 MiB was reached; --memory allows more", nil},
		{budget.ErrTime, "only the first 1 operation of the run are judged: the time ran out; --timeout allows more", []builtin.Property{builtin.Unlock}},
		{interrupt.Err, "only the first 1 operation of the run are judged: interrupted", []builtin.Property{builtin.Unlock}},
	} {
		within, cancel := context.WithCancelCause(t.Context())
		w := NewWatch(within, []builtin.Property{builtin.Unlock}, specfile.Functions{}, nil)
		unlocks(w, 7)
		cancel(tt.why)
		for !w.over.Load() {
			runtime.Gosched()
		}
		unlocks(w, 8, 9)
		s, out := judge(t, w, check.Checker{}, nil, whole())
		if s.Unknown != tt.unknown || s.Runs != 0 || !slices.Equal(s.Violated, tt.violated) || strings.Contains(out, "a.go:7") != (tt.violated != nil) || strings.Contains(out, "a.go:8") {
			t.Errorf("%v: %+v, %q", tt.why, s, out)
		}
	}
}

func TestInclude(t *testing.T) {
	var all Summary
	if all.IsUnknown() {
		t.Error("nothing is unknown")
	}
	all.Include("example.com/a", &Summary{On: []builtin.Property{builtin.Stuck}, Runs: 2, Unwatched: map[builtin.Property]string{builtin.Stuck: "why"}})
	all.Include("example.com/a", &Summary{On: []builtin.Property{builtin.Deadlock}, Violated: []builtin.Property{builtin.Deadlock}, Runs: 1})
	if !slices.Equal(all.On, []builtin.Property{builtin.Deadlock, builtin.Stuck}) || !slices.Equal(all.Violated, []builtin.Property{builtin.Deadlock}) || all.Runs != 3 {
		t.Errorf("%+v", all)
	}
	if all.Unwatched[builtin.Stuck] != "why" || !all.IsUnknown() {
		t.Errorf("unwatched: %v", all.Unwatched)
	}
}

// Who may wait for ever is not stuck.
func TestMayWait(t *testing.T) {
	for function, want := range map[string][]builtin.Property{"f1": nil, "f2": {builtin.Stuck}} {
		w := NewWatch(t.Context(), []builtin.Property{builtin.Stuck}, specfile.Functions{MayWait: []string{function}}, nil)
		for _, o := range []op.Op{
			{Kind: op.Main, K: 1, Other: op.NoTask, At: 1},
			{Kind: op.Go, K: 2, Other: 1, At: 2},
			{Kind: op.Block, Task: 1, K: 1, Other: op.NoTask, Want: op.Recv, Object: 1, At: 3},
			{Kind: op.Left, K: 3, Other: op.NoTask, Arg: 1, At: 4},
		} {
			w.Op(&o)
		}
		if s, out := judge(t, w, check.Checker{}, nil, whole()); !slices.Equal(s.Violated, want) {
			t.Errorf("%s may wait: violated %v, want %v\n%s", function, s.Violated, want, out)
		}
	}
}

// What stands behind a case of a select statement is looked up where its source is.
func TestBehind(t *testing.T) {
	dir := t.TempDir()
	const begin, rest = "package p\n\nfunc f(c, late chan int) {\n\tselect {\n\tcase <-c:\n\tcase <-late:\n", "\t}\n}\n"
	guess := &builtin.Guess{Select: 4, Took: 1, Other: 0}
	for _, test := range []struct {
		name, source string
		want         builtin.Behind
		warning      bool
	}{
		{"comes back", begin + "\t\t<-c\n" + rest, builtin.ComesBack, false},
		{"leaves", begin + rest + "func main() { f(nil, nil) }\n", builtin.Leaves, false},
		{"no source", "", builtin.Unread, false},
		{"later language", begin + "whatever 1\n" + rest, builtin.Unread, true},
	} {
		var source report.Source
		if test.source != "" {
			source.Dirs = []string{dir}
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(test.source), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var warnings bytes.Buffer
		got := readBehind(source, guess, noNames{}, &warnings)
		if got != test.want || strings.HasPrefix(warnings.String(), "antichain: warning: a.go:4: ") != test.warning || !test.warning && warnings.Len() > 0 {
			t.Errorf("%s: %v, %s", test.name, got, &warnings)
		}
	}
}
