package findings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/process"
	"github.com/antichain-go/antichain/tracer/op"
)

// TraceWatch checks built-in properties on the operations of a trace while it is read, as Watch does on those of a program.
type TraceWatch struct {
	event.Reader
	on         []builtin.Property
	missing    map[builtin.Property]string // why some of them cannot be judged on this trace
	watch      *Watch                      // nil if no property can be judged
	operations *process.Operations
	err        error // of the reader, but for io.EOF
}

// traceNames are the names in a trace.
type traceNames struct {
	op.Names
	operations *process.Operations
}

// WatchTrace returns a reader of a trace that checks these properties, or those of them that can be judged on it unless all
// are asked for by name.
func WatchTrace(memory context.Context, r event.Reader, on []builtin.Property, named bool, functions specfile.Functions) (*TraceWatch, error) {
	w := &TraceWatch{Reader: r}
	if len(functions.MustFinish) == 0 {
		on = Without(on, []builtin.Property{builtin.Leak})
	}
	h, err := r.Header()
	if err != nil {
		return w, nil // which who reads the trace finds
	}
	w.missing = missing(h, on)
	if !named {
		on = slices.DeleteFunc(slices.Clone(on), func(p builtin.Property) bool { return w.missing[p] != "" })
	}
	w.on = on
	if w.operations, err = process.NewOperations(h, w); err != nil || w.operations == nil {
		return w, err
	}
	var unwatched []string
	if h.Instrumented != nil {
		unwatched = h.Instrumented.Unwatched
	}
	judged := slices.DeleteFunc(slices.Clone(on), func(p builtin.Property) bool { return w.missing[p] != "" })
	w.watch = NewWatch(memory, judged, functions, unwatched)
	return w, nil
}

// missing says which properties cannot be judged on a trace with that header, and why.
func missing(h *event.Header, on []builtin.Property) map[builtin.Property]string {
	all := map[builtin.Property]string{}
	for _, p := range on {
		switch {
		case h.Operations == nil:
			all[p] = fmt.Sprintf("recorded without operations: record the run with --builtin %s", p)
		case !h.Operations.Accesses && NeedsAccesses([]builtin.Property{p}):
			all[p] = fmt.Sprintf("recorded without memory accesses: record the run with --builtin %s", p)
		}
	}
	return all
}

// Op is told an operation.
func (w *TraceWatch) Op(o *op.Op) {
	if w.watch != nil {
		w.watch.Op(o)
	}
}

// Next implements event.Reader.
func (w *TraceWatch) Next(e *event.Event) error {
	err := w.Reader.Next(e)
	switch {
	case err == nil && w.operations != nil:
		w.operations.Add(e)
	case err != nil && !errors.Is(err, io.EOF):
		w.err = err
	}
	return err
}

// errCut is why nothing is certain that depends on the end of a trace that was not read to it.
var errCut = errors.New("the trace was not read to its end")

// Judge gives the verdicts when the trace has been read, and reports the findings. The run supports no verdict if useless says why.
func (w *TraceWatch) Judge(ctx context.Context, c *check.Checker, trace, useless string) error {
	if len(w.on) == 0 {
		return nil
	}
	if w.watch == nil {
		return w.tell(c, trace, Summary{On: w.on}, nil)
	}
	w.operations.Finish()
	names := traceNames{w.operations.Names(), w.operations}
	found, err := w.watch.find(ctx, c, names)
	if wrong := w.operations.Wrong(); err == nil && wrong != "" {
		err = fmt.Errorf("records of the program make no sense: %s", wrong)
	}
	if err == nil && useless != "" {
		err = errors.New(useless)
	}
	if err == nil && w.err != nil {
		err = errCut
		found = slices.DeleteFunc(found, func(f builtin.Finding) bool { return f.How == builtin.Observed && atEnd(f.Property) })
	}
	summary, err := w.watch.judge(c, trace, names, found, err)
	if err != nil {
		return err
	}
	return w.tell(c, trace, summary, names)
}

// atEnd reports whether a property is about the end of the run.
func atEnd(p builtin.Property) bool {
	return p == builtin.Deadlock || p == builtin.Stuck || p == builtin.Leak
}

// tell reports of the properties that were asked for and cannot be judged, and in words the summary.
func (w *TraceWatch) tell(c *check.Checker, trace string, s Summary, names op.Names) error {
	for _, p := range w.on {
		if why := w.missing[p]; why != "" {
			if s.Unwatched == nil {
				s.Unwatched = map[builtin.Property]string{}
			}
			s.Unwatched[p] = why
		}
	}
	s.On = w.on
	for _, p := range s.On {
		switch {
		case slices.Contains(s.Violated, p):
			c.Note(tlcheck.Violated)
		case s.Unknown != "" || s.Unwatched[p] != "":
			c.Note(tlcheck.Unknown)
		default:
			c.Note(tlcheck.Holds)
		}
	}
	if !c.JSON {
		text := s.Text()
		if text != "" {
			text = c.Prefix + text
		}
		_, err := io.WriteString(c.Stdout, text)
		return err
	}
	var missing []builtin.Property
	for _, p := range w.on {
		if w.missing[p] != "" {
			missing = append(missing, p)
		}
	}
	return write(c, trace, tlcheck.BuiltinResults(missing, nil, names, w.missing))
}

// Checked reports whether there is something to check.
func (w *TraceWatch) Checked() bool { return len(w.on) > 0 }
