package testrun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// A test binary that was killed has not checked anything, but it has run.
func TestConcludeStopped(t *testing.T) {
	var said strings.Builder
	all := Summarise(&said, []Result{{Package: "example.org/slow"}}, 1)
	if err := all.Conclude(&said, "go test", execution.Scope{Builtins: []builtin.Property{builtin.Stuck}}); err != exit.Code(1) {
		t.Error(err)
	}
	if s := said.String(); !strings.Contains(s, "example.org/slow: the check was stopped") || strings.Contains(s, "nothing was checked") {
		t.Errorf("said:\n%s", s)
	}
}

// Another process reads what a plan says, with its destination, if there is one.
func TestReadPlan(t *testing.T) {
	exchange := filepath.Join(t.TempDir(), "tests")
	specification := specfile.Specification{Source: specfile.Source{Formulas: []string{"t:(not in.f)"}}}
	plans := map[string]*exploration.Plan{
		"example.org/a": {Plan: execution.Plan{
			Name: "a", Specification: specification, Record: recording.Destination{Sink: delivery.SinkConfig{To: "kafka://broker/runs"}},
		}},
		"example.org/b": {Plan: execution.Plan{Name: "b"}},
	}
	if err := WritePlans(exchange, plans); err != nil {
		t.Fatal(err)
	}
	for path, want := range plans {
		p := new(exploration.Plan)
		if err := readPlan(exchange, path, p); err != nil {
			t.Fatal(err)
		}
		if p.Name != want.Name || p.Record.Sink.To != want.Record.Sink.To || len(p.Specification.Formulas) != len(want.Specification.Formulas) {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if err := readPlan(exchange, "example.org/c", new(exploration.Plan)); err == nil || !strings.Contains(err.Error(), "not a package of this antichain test") {
		t.Error(err)
	}
}

// What test binaries leave is read by package.
func TestReadResults(t *testing.T) {
	exchange := t.TempDir()
	for _, path := range []string{"example.org/b", "example.org/a"} {
		f, err := os.CreateTemp(exchange, "result-*.json")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := &Result{Package: path, Conclusion: execution.Conclusion{Checked: true, Outcomes: exit.Outcomes{Violated: path == "example.org/a"}}}
		if err := writeResult(f, r); err != nil {
			t.Fatal(err)
		}
		r.Finished = true
		if err := writeResult(f, r); err != nil {
			t.Fatal(err)
		}
	}
	results, err := ReadResults(exchange)
	if err != nil || len(results) != 2 || results[0].Package != "example.org/a" || !results[0].Violated || !results[1].Finished || results[1].Violated {
		t.Errorf("%+v, %v", results, err)
	}
}

// A test binary ends itself after the time for the tests, which go test does not know.
func TestWithTimeout(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		limit time.Duration
		want  []string
	}{
		{[]string{"-test.timeout=1m30s", "-test.timeout=30m0s", "x", "-test.timeout=1s"}, 90 * time.Second, []string{"-test.timeout=1m30s", "-test.timeout=1m30s", "x", "-test.timeout=1s"}},
		{[]string{"-test.v", "-test.timeout=0s"}, 0, []string{"-test.v", "-test.timeout=0s"}},
		{[]string{"-test.v"}, time.Second, []string{"-test.v"}},
	} {
		if got := withTimeout(tt.args, tt.limit); !slices.Equal(got, tt.want) {
			t.Errorf("%q, %v: %q, want %q", tt.args, tt.limit, got, tt.want)
		}
	}
}
