package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// withRuns are flags of a format whose logs have a run a line, named by it, with one event.
func withRuns(run string, single bool) *input.Flags {
	lines := input.NewFormat("lines", "")
	lines.Prepare = func() (input.Opener, error) {
		return func(_ context.Context, r io.Reader, name string) (runs []ingest.Run, err error) {
			text, err := io.ReadAll(r)
			for id := range strings.Lines(string(text)) {
				trace := `{"antichain":1,"tasks":["a"]}` + "\n" + `{"t":"a","set":{"x":1}}`
				if strings.HasPrefix(id, "broken") {
					trace += "x"
				}
				runs = append(runs, ingest.Run{ID: strings.TrimSpace(id), Reader: must(event.Open(strings.NewReader(trace), name))})
			}
			return runs, err
		}, nil
	}
	return &input.Flags{Format: "lines", Formats: []*input.Format{lines}, Run: run, Single: single}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func logOf(t *testing.T, runs string) string {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(runs), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every run of a file is checked, also behind one that is broken.
func TestSeveralRuns(t *testing.T) {
	path := logOf(t, "one\nbroken\nthree\n")
	var out, stderr strings.Builder
	s := terminal.Streams{Out: &out, Err: &stderr}
	specs := specfile.Source{Formulas: []string{"t:(x == 2)"}}
	checking := checkVerb{
		specs:   specs,
		how:     checkFlags{logic: "l3", json: true},
		predict: predictRun,
		from:    *withRuns("", false),
	}
	err := checking.run(t.Context(), s, []string{path})
	if code := exit.Code(0); !errors.As(err, &code) || code != exit.Violated {
		t.Error(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	if len(lines) != 4 || !strings.Contains(lines[0], path+`:one","property":"-e"`) || !strings.Contains(lines[2], path+`:three","property":"-e"`) ||
		!strings.Contains(lines[1], path+`:broken","property":"-e"`) || !strings.Contains(lines[1], `"verdict":"unknown"`) {
		t.Errorf("printed %s", out.String())
	}
	if !strings.Contains(stderr.String(), "bad JSON") {
		t.Errorf("printed %s", stderr.String())
	}

	out.Reset()
	checking.how.json = false
	checking.from = *withRuns("three", false)
	if err = checking.run(t.Context(), s, []string{path}); err == nil {
		t.Error("no violation")
	}
	if !strings.HasPrefix(out.String(), path+":three: -e: violated") || !strings.Contains(out.String(), " --run three ") {
		t.Errorf("printed %s", out.String())
	}

	out.Reset()
	v := &statistician{s: s, input: withRuns("", false), budgets: new(budgetFlags), json: true}
	if err := v.traces(t.Context(), []string{path}); err == nil {
		t.Error("no mistake")
	}
	if n := strings.Count(out.String(), `"events":1`); n != 2 {
		t.Errorf("printed %s", out.String())
	}

	out.Reset()
	monitoring := monitorFlags{specs: specs, how: checkFlags{logic: "l3"}, input: *withRuns("", false), keepGoing: true}
	if err := monitoring.run(t.Context(), s, []string{path}); err == nil {
		t.Error("no violation")
	}
	for _, run := range []string{"one", "three"} {
		if !strings.Contains(out.String(), path+":"+run+": -e: violated") {
			t.Errorf("printed %s", out.String())
		}
	}
}

// A log may be compressed; what is wrong with that is said once, with its place.
func TestCompressedLog(t *testing.T) {
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("T0|r(x)|1\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	whole := logOf(t, packed.String())
	std := &input.Flags{Format: "std", Formats: input.NewFormats()}
	if err := convert(t.Context(), terminal.Streams{Out: &out}, whole, std, "", tracefile.Text); err != nil || !strings.Contains(out.String(), `"obj":"x"`) {
		t.Error(err, out.String())
	}
	cut := logOf(t, packed.String()[:packed.Len()-4])
	want := cut + ": truncated: the compressed data ends too early (" + event.RemedyCut + ")"
	if err := convert(t.Context(), terminal.Streams{Out: &out}, cut, std, "", tracefile.Text); err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

// A verb that takes one run asks which.
func TestOneRun(t *testing.T) {
	for _, tt := range []struct{ runs, run, want string }{
		{"a\nb\n", "", "log has 2 runs: choose one with --run; there are a and b"},
		{"a\nb\nc\nd\ne\nf\ng\n", "", "there are a, b, c, d, e and 2 more"},
		{"a\nb\n", "c", "--run c: no such run in"},
		{"\n", "c", "has no name: leave --run out"},
		{"a\nb\n", "a", ""},
		{"a\n", "", ""},
	} {
		var out strings.Builder
		err := convert(t.Context(), terminal.Streams{Out: &out}, logOf(t, tt.runs), withRuns(tt.run, true), "", tracefile.Text)
		switch {
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%q, --run %q: %v", tt.runs, tt.run, err)
		case tt.want == "" && (err != nil || !strings.Contains(out.String(), `"x":1`)):
			t.Errorf("%q, --run %q: %v, %s", tt.runs, tt.run, err, out.String())
		}
	}
}
