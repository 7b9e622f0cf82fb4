package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/findingset"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// compareReports compares what is reported on a run with what check reports on its trace, to the
// last word, and with what monitors report: on the trace in a pipe, and on its records in a topic.
func compareReports(t rapid.TB, told, trace string, on findings.Flag, s *specfile.Specification) {
	t.Helper()
	args := []string{"--json", "--builtin", on.String()}
	for _, spec := range s.Files {
		args = append(args, "--spec", spec)
	}
	// The monitor does not know the name.
	pipe, in := io.Pipe()
	go func() { in.CloseWithError(copyFile(in, trace)) }()
	checked := reportsOf(t, newCheck, nil, append(slices.Clone(args), trace)...)
	monitored := reportsOf(t, newMonitor, pipe, append(slices.Clone(args), "--keep-going", "-")...)
	sent := sentAsRecords(t, trace, findings.Wanted{On: on, Named: true}.Config(specfile.FunctionsOf(s.Parsed)))
	for _, text := range []*string{&checked, &monitored, &sent} {
		*text = commandAgain.ReplaceAllString(vacuousLeak.ReplaceAllString(*text, ""), "")
	}
	if d := cmp.Diff(told, checked); d != "" {
		t.Errorf("%s: the reports on the run (-) are not those on its trace (+):\n%s", trace, d)
	}
	if d := diffEarly(reportsIn(t, told), reportsIn(t, monitored)); d != "" {
		t.Errorf("%s: the reports on the run (-) are not those of a monitor (+):\n%s", trace, d)
	}
	if d := diffEarly(reportsIn(t, told), reportsIn(t, sent)); d != "" {
		t.Errorf("%s: the reports on the run (-) are not those on its records in a topic (+):\n%s", trace, d)
	}
}

// diffEarly compares what is reported on a whole run with what a monitor reports. A monitor may
// report a race before the run has shown the race that it is behind.
func diffEarly(whole, monitored []string) string {
	whole = slices.Clone(whole)
	for i, r := range whole {
		early := strings.Replace(r, builtin.Following.String(), builtin.Predicted.String(), 1)
		if !slices.Contains(monitored, r) && slices.Contains(monitored, early) {
			whole[i] = early
		}
	}
	slices.Sort(whole)
	return cmp.Diff(whole, monitored)
}

// vacuousLeak is what a trace says that has not seen the functions that must finish. The build
// knows that they exist.
var vacuousLeak = regexp.MustCompile(`,"vacuous":"(\\.|[^"\\])*"`)

// commandAgain is the command that shows a finding again, which is another one for a trace.
var commandAgain = regexp.MustCompile(`,"again":"(\\.|[^"\\])*"`)

func copyFile(to io.Writer, path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(to, from)
	return err
}

// reportsOf returns what a verb reports.
func reportsOf(t rapid.TB, verb func(terminal.Streams) *cobra.Command, in io.Reader, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd := verb(terminal.Streams{In: in, Out: &out, Err: &stderr})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(args)
	if err := cmd.ExecuteContext(context.Background()); err != nil && !errors.As(err, new(exit.Code)) {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Logf("%s %v: %s", cmd.Name(), args, &stderr)
	}
	return out.String()
}

// reportsIn is findingset.Set of what a verb has written.
func reportsIn(t rapid.TB, output string) []string {
	t.Helper()
	return findingset.Set(parseReports(t, output))
}

func parseReports(t rapid.TB, output string) []*findingset.Report {
	t.Helper()
	all, err := findingset.Parse([]byte(output))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sentAsRecords returns the reports on a trace that is checked record by record, each by another
// checker that goes on from a snapshot.
func sentAsRecords(t rapid.TB, path string, config builtins.Config) string {
	t.Helper()
	var out bytes.Buffer
	c := runs.Config{Builtins: config, Split: func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) { return nil, nil, nil }}
	to := runResults{t, path, &out}
	checked := runs.New(c, to)
	n := 0
	send := func(r *record.Record) error {
		if n++; n&(n-1) == 0 {
			w := snapshot.NewWriter()
			if err := checked.Snapshot(w); err != nil {
				return err
			}
			checked = runs.New(c, to)
			r := snapshot.NewReader(w.Bytes())
			if err := errors.Join(checked.Snapshot(r), r.End()); err != nil {
				return err
			}
		}
		checked.Take(r, time.Now())
		return nil
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	trace, err := event.Open(in, path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := trace.Header()
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.NewWriter("run", "source", h, record.Options{Text: strings.HasSuffix(path, ".jsonl"), Events: 10}, send)
	if err != nil {
		t.Fatal(err)
	}
	if err := input.EachEvent(trace, w.Write); err != nil {
		t.Fatal(err)
	}
	if err := w.End(record.EndRun); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// runResults writes down what is found in a run.
type runResults struct {
	t    rapid.TB
	name string
	out  io.Writer
}

func (r runResults) Result(_ *runs.Run, result *tlcheck.Result) {
	if err := report.WriteJSON(r.out, r.name, result, report.Source{}); err != nil {
		r.t.Error(err)
	}
}
func (r runResults) Over(*runs.Run, *san.Net, []*spec.Property, tlcheck.Truncation) {}
func (r runResults) Failed(_ *runs.Run, err error)                                  { r.t.Error(err) }
func (r runResults) Rejected(_ *record.Record, err error)                           { r.t.Error(err) }
