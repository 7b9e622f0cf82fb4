package findings

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
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

// TraceWatch checks built-in properties on the operations of a trace while it is read, as Watch does on those of a program.
type TraceWatch struct {
	event.Reader
	memory  context.Context   // ends when there is no more memory for it
	checker *builtins.Checker // nil if the trace has no header
	err     error             // of the reader, but for io.EOF
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
	switch {
	case err == nil && w.checker != nil && w.memory.Err() == nil:
		w.checker.Add(e)
	case err != nil && !errors.Is(err, io.EOF):
		w.err = err
	}
	return err
}

// Checked reports whether there is something to check.
func (w *TraceWatch) Checked() bool { return w.checker != nil && len(w.checker.Properties()) > 0 }

// Judge gives the verdicts when the trace has been read, and reports the findings. The run supports no verdict if useless says why.
func (w *TraceWatch) Judge(ctx context.Context, c *check.Checker, trace, useless string) error {
	if !w.Checked() {
		return nil
	}
	cut := ""
	if w.err != nil {
		cut = "the trace was not read to its end"
	}
	if err := context.Cause(w.memory); err != nil {
		useless = err.Error() + limits.Remedy(err)
	}
	if useless != "" {
		w.checker.Lose(useless)
	}
	results, err := w.results(ctx, c, cut)
	if err != nil {
		w.checker.Lose(err.Error() + limits.Remedy(err))
		results = w.checker.Results("")
	}
	for _, r := range results {
		AddRemedy(r)
		c.Known.Recognise(r)
		c.NoteResult(r)
	}
	if err := Write(c, trace, results); err != nil || c.JSON {
		return err
	}
	summary := SummaryOf(w.checker.Properties(), results)
	if text := summary.Text(); text != "" {
		_, err = fmt.Fprint(c.Stdout, c.Prefix, text)
	}
	return err
}

// AddRemedy says of a result for a property that a trace has not got what it needs for how it gets that.
func AddRemedy(r *tlcheck.Result) {
	if r.Covered == builtins.NoOperations || r.Covered == builtins.NoAccesses {
		r.Covered += fmt.Sprintf(": record the run with --builtin %s", r.Builtin)
	}
}

// results returns the results, unless it takes too long.
func (w *TraceWatch) results(ctx context.Context, c *check.Checker, cut string) ([]*tlcheck.Result, error) {
	var results []*tlcheck.Result
	if err := look(ctx, c, func() { results = w.checker.Results(cut) }); err != nil {
		return nil, err // results may be written later
	}
	return results, nil
}

// SummaryOf sums up the results for properties in one run.
func SummaryOf(on []builtin.Property, results []*tlcheck.Result) Summary {
	s := Summary{On: on, Runs: 1, Unwatched: map[builtin.Property]string{}}
	note := func(r *tlcheck.Result) {
		switch r.Verdict {
		case tlcheck.Violated:
			s.Violated = union(s.Violated, []builtin.Property{r.Builtin})
		case tlcheck.Possible:
			s.Possible = union(s.Possible, []builtin.Property{r.Builtin})
		case tlcheck.Unknown:
			s.Unwatched[r.Builtin] = r.Covered
		}
	}
	for _, r := range results {
		if !r.IsNews() {
			s.Known = union(s.Known, []builtin.Property{r.Builtin})
			continue
		}
		note(r)
		for i := 0; r.Finding != nil && i < len(r.Finding.Also); i++ {
			note(tlcheck.Also(r, i))
		}
	}
	return s
}
