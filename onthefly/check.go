package onthefly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// Run is a run that Check checks.
type Run struct {
	violations chan *Report // has room for one of each property
	over       chan struct{}

	// Valid when over is closed.
	outcomes []Outcome
	err      error
}

// Outcome is what has become of a property.
type Outcome struct {
	Property  *spec.Property
	Verdict   tlcheck.Verdict
	Violation *Report // of verdict Violated, else nil
	Covered   string  // why it is Unknown, or of which part of the run it Holds; else empty
}

// open reports whether nothing has become of the property yet.
func (o *Outcome) open() bool { return o.Verdict == tlcheck.Unknown && o.Covered == "" }

// Check checks properties on the events of a source as they come: a trace that is read (event.Open), or
// written at the same time (event.OpenStream on a connection or pipe).
//
// It returns at once. The run is over when the source is, when something is wrong with it, or when the context ends,
// but not at a violation: who wants no more ends the context. Then nobody reads the source any
// more, so who writes to a pipe should see its reading end closed.
func Check(ctx context.Context, props []*spec.Property, logic lsl.Logic, source event.Reader) *Run {
	r := &Run{violations: make(chan *Report, len(props)), over: make(chan struct{})}
	for _, p := range props {
		r.outcomes = append(r.outcomes, Outcome{Property: p})
	}
	c := &checking{ctx: ctx, logic: logic, props: props, decided: make(chan Outcome, len(props)), ended: make(chan error, 1)}
	go c.run(source)
	go r.collect(c)
	return r
}

// Violations returns the channel on which the first violation of each property arrives when it becomes certain. It is
// closed when the run is over. Nothing waits for the receiver.
func (r *Run) Violations() <-chan *Report { return r.violations }

// Wait waits until the run is over and returns the outcomes in the order of the properties. The error
// says why the run is not known to its end, or why its properties cannot be checked; a property whose verdict
// rests on what is missing is Unknown.
func (r *Run) Wait() ([]Outcome, error) {
	<-r.over
	return r.outcomes, r.err
}

// collect takes the outcomes until all are there or the context ends.
func (r *Run) collect(c *checking) {
	defer close(r.over)
	defer close(r.violations)
	for {
		select {
		case o, ok := <-c.decided:
			if !ok {
				r.end(<-c.ended)
				return
			}
			r.decide(o)
		case <-c.ctx.Done(): // c may be at work for any time
			r.end(context.Cause(c.ctx))
			return
		}
	}
}

func (r *Run) decide(o Outcome) {
	i := stdslices.IndexFunc(r.outcomes, func(p Outcome) bool { return p.Property == o.Property && p.open() })
	r.outcomes[i] = o
	if o.Violation != nil {
		r.violations <- o.Violation
	}
}

// end ends the run, with the error that explains why some properties were not decided.
func (r *Run) end(err error) {
	r.err = err
	for i := range r.outcomes {
		if o := &r.outcomes[i]; err != nil && o.open() {
			o.Covered = err.Error()
		}
	}
}

// checking handles the only run of a source, and is its sink.
type checking struct {
	*Checker
	ctx     context.Context
	logic   lsl.Logic
	props   []*spec.Property
	decided chan Outcome // has room for all; closed at the end
	err     error        // the first one
	ended   chan error   // err at the end
}

func (c *checking) run(source event.Reader) {
	err := stream.Serve(c.ctx, []stream.Source{stream.FromReader("the run", source)}, c)
	close(c.decided)
	c.ended <- cmp.Or(err, c.err, context.Cause(c.ctx))
}

// Begin implements stream.Handler.
func (c *checking) Begin(_ string, h *event.Header) (stream.Sink, error) {
	if i := h.Instrumented; i != nil && len(i.Untraced) > 0 {
		return nil, fmt.Errorf("the program was traced without %s: no verdict can be given", strings.Join(i.Untraced, ", "))
	}
	if err := c.sparse(h); err != nil {
		return nil, err
	}
	var err error
	c.Checker, err = New(h, c.props, c.logic)
	return c, err
}

// sparse says which properties a trace cannot decide that lacks tasks.
func (c *checking) sparse(h *event.Header) error {
	if !h.Sparse {
		return nil
	}
	var refused []error
	for _, p := range c.props {
		resolved, err := tlcheck.Resolve(h, p)
		if err == nil {
			err = tlcheck.Sparse(h, resolved, c.logic)
		}
		refused = append(refused, err)
	}
	return errors.Join(refused...)
}

// Fail implements stream.Handler.
func (c *checking) Fail(err error) { c.err = cmp.Or(c.err, err) }

// Step implements stream.Sink.
func (c *checking) Step() error {
	found, err := c.Checker.Step(c.ctx)
	if err != nil {
		return err
	}
	for _, v := range found {
		if err := c.decide(FinalVerdict{Property: v.Property, Verdict: tlcheck.Violated, Violation: v}); err != nil {
			return err
		}
	}
	return nil
}

// Close implements stream.Sink.
func (c *checking) Close(cut error) error {
	if err := c.Step(); err != nil {
		return err
	}
	if stuck := c.PendingError(); stuck != nil {
		c.Fail(stuck)
	}
	var how Truncation
	if cut != nil {
		how = "cut off"
	}
	settled, _, err := c.Settle(c.ctx, how)
	if err != nil {
		return err
	}
	for _, s := range settled {
		if err := c.decide(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *checking) decide(s FinalVerdict) error {
	o := Outcome{Property: s.Property, Verdict: s.Verdict, Covered: s.Covered}
	if s.Violation != nil {
		var err error
		if o.Violation, err = newReport(c.ctx, c.Net(), s.Violation, c.logic); err != nil {
			return err
		}
	}
	c.decided <- o
	return nil
}
