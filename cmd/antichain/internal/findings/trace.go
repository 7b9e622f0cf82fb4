package findings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// Wanted are the built-in properties that are checked on traces.
type Wanted struct {
	On    Flag
	Named bool // by the user; else those that can be judged on a trace
}

// Config is how they are checked, with the functions that a specification names.
func (w Wanted) Config(functions specfile.Functions) builtins.Config {
	return builtins.Config{Properties: w.On, Named: w.Named, MustFinish: functions.MustFinish, MayWait: functions.MayWait}
}

// TraceWatch checks built-in properties on the operations of a trace while it is read, as Watch
// does on those of a program.
type TraceWatch struct {
	event.Reader
	memory  context.Context   // ends when there is no more memory for it
	checker *builtins.Checker // nil if the trace has no header
}

// WatchTrace returns a reader of a trace that checks these properties.
func WatchTrace(memory context.Context, r event.Reader, wanted Wanted, functions specfile.Functions) *TraceWatch {
	w := &TraceWatch{Reader: r, memory: memory}
	if len(wanted.On) == 0 {
		ingest.OmitOperations(r)
	}
	if h, err := r.Header(); err == nil { // else who reads the trace finds it
		w.checker = builtins.New(h, wanted.Config(functions))
	}
	return w
}

// Next implements event.Reader.
func (w *TraceWatch) Next(e *event.Event) error {
	err := w.Reader.Next(e)
	if err == nil && w.checker != nil && w.memory.Err() == nil {
		w.checker.Add(e)
	}
	return err
}

// Checked reports whether there is something to check. It is false without a header.
func (w *TraceWatch) Checked() bool { return w.checker != nil && len(w.checker.Properties()) > 0 }

// Judge gives the verdicts on the built-in properties of a run that has been read, to its end or
// not, and reports them. watched has read it, and is nil if the trace could not be opened. With
// partial, what was found before a mistake in the trace stands.
func (w Wanted) Judge(ctx context.Context, c *check.Checker, watched *TraceWatch, r *input.Reading, partial bool) error {
	switch {
	case watched == nil || watched.checker == nil:
		return w.refuse(c, r)
	case watched.Checked():
		c.AskBuiltins(r.Name, watched.checker.Properties())
		return watched.judge(ctx, c, r, partial)
	case len(c.Properties) == 0 && len(w.On) > 0:
		return fmt.Errorf("%s: nothing to check: the trace has no operations for built-in properties (record the run with --builtin, or give a specification with --spec FILE or -e FORMULA)",
			event.Printable(r.Name))
	}
	return nil
}

// refuse reports on a trace whose header cannot be read. It is not known which properties could be
// judged on it, so they are those that were named, or the usual ones if nothing else is checked.
func (w Wanted) refuse(c *check.Checker, r *input.Reading) error {
	var asked []builtin.Property
	switch {
	case w.Named:
		asked = w.On
	case len(c.Properties) == 0:
		asked = Usual()
	}
	if len(c.Functions.MustFinish) == 0 {
		asked = Without(asked, []builtin.Property{builtin.Leak})
	}
	c.AskBuiltins(r.Name, asked)
	reasons := map[builtin.Property]string{}
	for _, p := range asked {
		reasons[p] = cmp.Or(check.Unread(r), "the trace has no header")
	}
	return writeResults(c, r.Name, asked, tlcheck.BuiltinResults(asked, nil, nil, reasons))
}

// judge is Judge for a trace whose header was read.
func (w *TraceWatch) judge(ctx context.Context, c *check.Checker, r *input.Reading, partial bool) error {
	useless, cut := r.Useless, ""
	var stopped *limits.ReadStoppedError
	switch {
	case errors.As(r.Err, &stopped):
		cut = check.Unread(r)
	case r.Err != nil && (partial || check.IsCut(r.Err)):
		cut = "the trace was not read to its end"
	case r.Err != nil:
		useless = check.Unread(r)
	}
	if err := context.Cause(w.memory); err != nil && useless == "" {
		useless = cmp.Or(cut, err.Error()+limits.Remedy(err))
	}
	if useless != "" {
		w.checker.Lose(useless)
	}
	results, err := w.results(ctx, c, cut)
	if err != nil {
		w.checker.Lose(cmp.Or(cut, err.Error()+limits.Remedy(err)))
		results = w.checker.Results("")
	}
	for _, text := range w.checker.Ineffective() {
		fmt.Fprintf(c.Stderr, "antichain: warning: %s%s\n", c.Prefix, event.Printable(text))
	}
	return writeResults(c, r.Name, w.checker.Properties(), results)
}

// writeResults reports results for properties of a run, and in words a summary.
func writeResults(c *check.Checker, trace string, on []builtin.Property, results []*tlcheck.Result) error {
	var assessed []*tlcheck.Assessment
	for _, r := range results {
		assessed = append(assessed, c.Assess(r))
	}
	if err := Write(c, trace, assessed); err != nil || c.JSON || c.Take != nil {
		return err
	}
	summary := SummaryOf(on, assessed)
	summary.Open.listed = c.All
	for line := range strings.Lines(summary.Text()) {
		if _, err := fmt.Fprint(c.Stdout, c.Prefix, line); err != nil {
			return err
		}
	}
	return nil
}

// results returns the results, unless it takes too long.
func (w *TraceWatch) results(ctx context.Context, c *check.Checker, cut string) ([]*tlcheck.Result, error) {
	var results []*tlcheck.Result
	if err := findBounded(ctx, c, func() { results = w.checker.Results(cut) }); err != nil {
		return nil, err // results may be written later
	}
	return results, nil
}

// SummaryOf sums up the results for properties in one run.
func SummaryOf(on []builtin.Property, results []*tlcheck.Assessment) Summary {
	s := Summary{On: on, Runs: 1, Unwatched: map[builtin.Property]string{}, Vacuous: map[builtin.Property]string{}}
	note := func(r *tlcheck.Assessment) {
		switch r.Verdict {
		case tlcheck.Violated:
			s.Violated = union(s.Violated, []builtin.Property{r.Builtin})
		case tlcheck.Possible:
			s.Possible = union(s.Possible, []builtin.Property{r.Builtin})
		case tlcheck.Unknown:
			s.Unwatched[r.Builtin] = r.Coverage()
		case tlcheck.Holds:
			if r.Vacuous != "" {
				s.Vacuous[r.Builtin] = r.Vacuous
			}
		}
	}
	for _, r := range results {
		s.Open.add(r.Open)
		if !r.IsNews() {
			s.Known = union(s.Known, []builtin.Property{r.Builtin})
			continue
		}
		note(r)
		for i := 0; r.Finding != nil && i < len(r.Finding.Also); i++ {
			note(r.Also(i))
		}
	}
	s.uniteReasons()
	return s
}

// uniteReasons sets Unknown if several properties have neither a finding nor a verdict, and all of
// them for the same reason.
func (s *Summary) uniteReasons() {
	rest := s.withoutFindings()
	reasons := map[string]bool{}
	for _, p := range rest {
		reasons[s.Unwatched[p]] = true
	}
	if len(rest) > 1 && len(reasons) == 1 && !reasons[""] {
		s.Unknown = s.Unwatched[rest[0]]
	}
}
