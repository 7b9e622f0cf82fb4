package recording

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// A trace that lacks something is not kept: nothing in it would say so.
func TestKeepTrace(t *testing.T) {
	for _, tt := range []struct {
		missing uint64
		kept    bool
	}{{0, true}, {3, false}} {
		r := &Recorder{Path: filepath.Join(t.TempDir(), "trace.bin")}
		if err := r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Add(&event.Event{Task: "main", Op: "end"}); err != nil {
			t.Fatal(err)
		}
		err := r.keep(&launch.Result{Missing: tt.missing, Why: "the checker was stopped"})
		if (err == nil) != tt.kept {
			t.Errorf("%d missing: error %v", tt.missing, err)
		}
		if err != nil && !strings.Contains(err.Error(), "at least 3 records of the program lost: the checker was stopped") {
			t.Errorf("error does not say what is missing: %v", err)
		}
		if _, err := os.Stat(r.Path); (err == nil) != tt.kept || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d missing: trace file: %v", tt.missing, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(r.Path)); !tt.kept && len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// A trace that cannot be written any further, on a full disk, is no reason to check less.
func TestUnwritableTrace(t *testing.T) {
	r := &Recorder{Path: filepath.Join(t.TempDir(), "trace.jsonl"), Check: true}
	if err := r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	r.file.Abandon() // from now on nothing can be written
	for r.unkept == nil && r.events < 1<<20 {
		if err := r.Add(&event.Event{Task: "main"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(&event.Event{Task: "main"}); err != nil {
		t.Fatal(err)
	}
	if err := r.keep(&launch.Result{}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v, want that of the file", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(r.Path)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	net, err := r.net()
	if err != nil || net.Events() != r.events {
		t.Errorf("net of %d events: %v", r.events, err)
	}
}

// No more events are wanted once there is no time for the net, unless they are kept.
func TestEnough(t *testing.T) {
	over, end := context.WithCancelCause(t.Context())
	end(budget.ErrTime)
	for _, tt := range []struct {
		name string
		r    Recorder
		want bool
	}{
		{"a net", Recorder{Check: true, Memory: t.Context()}, false},
		{"no time for a net", Recorder{Check: true, Memory: over}, true},
		{"no time for a net, and a file", Recorder{Check: true, Memory: over, Path: filepath.Join(t.TempDir(), "trace.bin")}, false},
		{"a file", Recorder{Memory: over, Path: filepath.Join(t.TempDir(), "trace.bin")}, false},
		{"a file that cannot be written", Recorder{Path: filepath.Join(t.TempDir(), "missing", "trace.bin")}, true},
		{"a net that is too long", Recorder{Check: true, Most: 1}, true},
	} {
		if err := tt.r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := tt.r.Add(&event.Event{Task: "main"}); err != nil {
				t.Fatal(err)
			}
		}
		if got := tt.r.Enough(); got != tt.want {
			t.Errorf("%s: enough %v, want %v", tt.name, got, tt.want)
		}
		tt.r.abandon()
	}
}

// If the time ends between two events, the verdict says so all the same.
func TestEnoughIsNoVerdict(t *testing.T) {
	var out strings.Builder
	reading, end := context.WithCancelCause(t.Context())
	c, r := checker(t, &out), &Recorder{Check: true, Memory: reading}
	if err := r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	if end(budget.ErrTime); !r.Enough() {
		t.Error("more is wanted")
	}
	r.Judge(t.Context(), c, "p", &launch.Result{Complete: true})
	if want := "-e: unknown: the time ran out after 0 events of the trace; --timeout allows more\n"; out.String() != want || !c.Unknown {
		t.Errorf("%q, want %q", &out, want)
	}
}

// checker returns a checker of one property that reports on out.
func checker(t *testing.T, out io.Writer) *check.Checker {
	t.Helper()
	p, err := spec.ParseFormula("t:(not in.f)")
	if err != nil {
		t.Fatal(err)
	}
	p.Name = "-e"
	return &check.Checker{Stdout: out, Stderr: out, Properties: []*spec.Property{p}}
}

// What was not read to its end gets no verdict.
func TestJudgeIncomplete(t *testing.T) {
	for _, complete := range []bool{true, false} {
		var out strings.Builder
		c := checker(t, &out)
		r := &Recorder{Check: true}
		if err := r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		r.Judge(t.Context(), c, "p", &launch.Result{Complete: complete})
		if c.Unknown == complete || strings.Contains(out.String(), "not read to its end") == complete {
			t.Errorf("complete %v: unknown %v, %s", complete, c.Unknown, &out)
		}
	}
}

// A run that was traced without some kind of synchronisation gives no verdict, like a check
// of its trace.
func TestUntracedRunIsUnknown(t *testing.T) {
	for _, tt := range []struct {
		untraced []string
		want     string
	}{
		{nil, "-e: holds\n"},
		{[]string{"sync.Cond"}, "-e: unknown: the program was traced without sync.Cond\n"},
	} {
		var out strings.Builder
		c := checker(t, &out)
		r := &Recorder{Check: true}
		h := &event.Header{Tasks: []string{"main"}, Instrumented: &event.Instrumentation{Functions: []string{"f"}, Untraced: tt.untraced}}
		if err := r.Begin(h); err != nil {
			t.Fatal(err)
		}
		if err := r.Add(&event.Event{Task: "main", Op: "end"}); err != nil {
			t.Fatal(err)
		}
		r.Judge(t.Context(), c, "p", &launch.Result{Complete: true})
		if got := out.String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("untraced %q: %q, want %q", tt.untraced, got, tt.want)
		}
	}
}

// TestDraw has the order of a run drawn, unless it is too long, or something of it is missing.
func TestDraw(t *testing.T) {
	for _, tt := range []struct {
		name  string
		most  int
		ended launch.Result
		said  string
		drawn int
	}{
		{"whole", 2, launch.Result{Complete: true}, "", 1},
		{"without a limit", 0, launch.Result{Complete: true}, "", 1},
		{"too long", 1, launch.Result{Complete: true}, "antichain: the run has more than 1 events: reports do not show its order\n", 0},
		{"not to its end", 2, launch.Result{}, "", 0},
		{"missing", 2, launch.Result{Complete: true, Missing: 1}, "", 0},
	} {
		r := &Recorder{Check: true, Most: tt.most}
		if err := r.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := r.Add(&event.Event{Task: "main", Op: "step"}); err != nil {
				t.Fatal(err)
			}
		}
		var said strings.Builder
		c := &check.Checker{Stderr: &said, Reports: &reports.Collection{Contents: reports.Contents{Draws: true}}}
		r.Draw(c, "run", &tt.ended)
		if got := len(c.Reports.Drawings); got != tt.drawn || said.String() != tt.said {
			t.Errorf("%s: %d drawings, %q", tt.name, got, said.String())
		}
	}
}
