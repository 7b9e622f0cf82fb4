// Package recording receives the events of a running program. It saves the trace, forwards it, and
// builds the net that is checked after the program has ended.
package recording

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reordering"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Destination says where a trace goes.
type Destination struct {
	Path string // of the trace file; "" for none
	Sink delivery.SinkConfig
}

// IsKept reports whether the trace is kept or sent.
func (d Destination) IsKept() bool { return d.Path != "" || d.Sink.To != "" }

// Recorder takes the events of a running program: it builds the net if something is to be
// checked, and writes the trace if that is wanted.
type Recorder struct {
	Path  string              // of the trace file; "" for none
	Sink  *delivery.KafkaSink // where the trace goes besides; nil is nowhere
	Check bool                // build the net
	// of a run whose operations are recorded, also build the net without the order of critical
	// sections
	Orders bool
	Leads  bool            // with Orders, also build check.Orders.Leads
	Most   int             // events of the net; if there are more it is given up. 0 is no bound
	Memory context.Context // ends when there is no more memory or time for the net; nil is never

	Ended bool // the program was ended after its time, which counts as the end of the run

	Header  *event.Header // nil before the first event
	builder *san.Builder
	orders  *reordering.Builder // beside builder
	file    *tracefile.File
	events  int
	stopped *limits.ReadStoppedError // why the net was given up, if it was
	unkept  error                    // why the trace file was given up, if it was
}

// Begin starts with the header.
func (r *Recorder) Begin(h *event.Header) error {
	var err error
	r.Header = h
	if r.Check {
		if r.builder, err = san.NewBuilder(h); err != nil {
			return err
		}
	}
	if r.Check && r.Orders {
		r.orders = reordering.OfProgram(h, r.Leads)
	}
	if r.Path != "" {
		r.file, r.unkept = tracefile.Create(r.Path, tracefile.FormOf(r.Path), h)
	}
	if r.Sink != nil {
		return r.Sink.Begin(h)
	}
	return nil
}

// Add takes one event.
func (r *Recorder) Add(e *event.Event) error {
	r.events++
	if r.file != nil && r.unkept == nil {
		r.unkept = r.file.Write(e) // the net is built without a file too
	}
	if r.Sink != nil {
		r.Sink.Add(e)
	}
	if r.builder == nil {
		return nil
	}
	if r.gaveUp() {
		return nil
	}
	if r.isTooLong() {
		r.builder = nil
		return nil
	}
	if r.orders != nil {
		r.orders.Add(e, r)
	}
	return r.builder.AddFrom(e, r)
}

// gaveUp gives the net up if there is no memory or time for more of it, and reports whether it has
// been.
func (r *Recorder) gaveUp() bool {
	if r.stopped == nil && r.Memory != nil && r.Memory.Err() != nil {
		r.stopped = &limits.ReadStoppedError{Events: r.events, Cause: context.Cause(r.Memory)}
		r.builder, r.orders = nil, nil // its memory is wanted elsewhere, and the program goes on
	}
	return r.stopped != nil
}

// isTooLong reports whether there are more events than the net may have.
func (r *Recorder) isTooLong() bool { return r.Most > 0 && r.events > r.Most }

// Enough reports whether no more events are wanted: there is no memory or time for the rest of the
// net, if there is one, and nothing is kept or sent. It is for launch.Config.
func (r *Recorder) Enough() bool {
	if r.Sink != nil || r.Path != "" && r.unkept == nil {
		return false
	}
	return !r.Check || r.gaveUp() || r.isTooLong()
}

// Pos returns, for error messages, the number of the last event.
func (r *Recorder) Pos() string { return fmt.Sprintf("event %d of the program", r.events) }

// Await waits for the end of the program and keeps its trace.
func (r *Recorder) Await(run *launch.Run, c *check.Checker) *launch.Result {
	ended, err := run.Wait()
	if err != nil {
		c.ReportError(err)
	}
	if err := r.keep(&ended); err != nil {
		c.ReportError(err)
	}
	if r.Sink != nil {
		if err := r.Sink.Finish(&ended); err != nil {
			c.ReportError(err)
		}
	}
	return &ended
}

// keep completes the trace file, if one was asked for. A file does not show that
// something is missing, and a verdict on it could be wrong: then there is none.
func (r *Recorder) keep(ended *launch.Result) error {
	if r.file == nil || ended.Missing == 0 {
		return r.finish()
	}
	r.abandon()
	return fmt.Errorf("no trace is kept: %s", findings.Missing(ended))
}

// finish completes the trace file with what was recorded.
func (r *Recorder) finish() error {
	switch {
	case r.unkept != nil:
		r.abandon()
		return r.unkept
	case r.file == nil:
		return nil
	}
	return r.file.Finish()
}

// abandon removes the unfinished trace file.
func (r *Recorder) abandon() {
	if r.file != nil {
		r.file.Abandon()
	}
}

// ErrNoEvents says that a program has not recorded anything.
var ErrNoEvents = errors.New("the program recorded nothing: it ended before its first event, or is not the traced one")

// net returns the net of what was recorded.
func (r *Recorder) net() (*san.Net, error) {
	if r.builder == nil {
		return nil, ErrNoEvents
	}
	return r.builder.Finish()
}

// Draw has reports show the order of what was recorded, if nothing of it is missing.
func (r *Recorder) Draw(c *check.Checker, name string, ended *launch.Result) {
	switch {
	case r.isTooLong():
		fmt.Fprintf(c.Stderr, "antichain: the run has more than %d events: reports do not show its order\n", r.Most)
		c.Reports.LeaveOut(name)
		return
	case !ended.Complete || ended.Missing > 0 || r.builder == nil:
		return
	}
	if net, err := r.builder.Finish(); err == nil {
		c.Reports.Draw(name, net, c.Style.Source)
	}
}

// Judge gives the verdicts on what was recorded; none but unknown if something is missing.
func (r *Recorder) Judge(ctx context.Context, c *check.Checker, name string, ended *launch.Result) {
	switch {
	case !ended.Complete:
		c.Refuse(name, "the trace was not read to its end")
		return
	case ended.Missing > 0:
		c.Refuse(name, findings.Missing(ended))
		return
	case r.Header != nil && r.Header.Untraced() != "":
		c.Refuse(name, r.Header.Untraced())
		return
	case r.stopped != nil:
		c.Refuse(name, r.stopped.Error())
		return
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if c.Cut = ""; ended.Signal != 0 && !r.Ended {
		c.Cut = monitor.CutOf(&monitor.SignalError{Signal: ended.Signal})
	}
	net, err := r.net()
	switch {
	case err != nil:
		c.ReportError(err)
		c.Refuse(name, err.Error())
	case r.orders != nil:
		orders := r.orders.Finish()
		orders.Run = net
		if orders.Open == "" && ended.Ring.Forgot {
			orders.Open = "goroutines have written so many parts of a word of memory that not all of them are remembered"
		}
		c.CheckOrders(ctx, name, orders)
	default:
		c.CheckNet(ctx, name, net)
	}
}
