package onthefly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Run is a run that Check is checking.
type Run struct {
	violations chan *tlcheck.Result // has room for one result of each property
	over       chan struct{}

	// Valid when over is closed.
	results []*tlcheck.Result
	err     error
}

// Check checks properties on the events of a source as they arrive: a trace that is read
// (event.Open), or written at the same time (event.OpenStream on a connection or pipe).
//
// It returns at once. The check ends when the source ends or fails, or when the context ends. It
// does not end at a violation: a caller that wants no more ends the context. The source is not read
// afterwards, so the writer of a pipe should see its reading end closed.
func Check(ctx context.Context, props []*spec.Property, logic lsl.Logic, source event.Reader) *Run {
	r := &Run{violations: make(chan *tlcheck.Result, len(props)), over: make(chan struct{})}
	for _, p := range props {
		r.results = append(r.results, &tlcheck.Result{Property: p})
	}
	c := &sourceChecker{ctx: ctx, logic: logic, props: props, decided: make(chan *tlcheck.Result, len(props)),
		ended: make(chan error, 1)}
	go c.run(source)
	go r.collect(c)
	return r
}

// Violations returns the channel on which the first violation of each property arrives as soon as
// it is certain. The channel is closed when the run is over. It is buffered: the check never waits
// for the receiver.
func (r *Run) Violations() <-chan *tlcheck.Result { return r.violations }

// Wait waits until the run is over and returns the results in the order of the properties. The
// error says why the run is not known to its end, or why its properties cannot be checked. A
// property whose verdict depends on the missing part is Unknown.
func (r *Run) Wait() ([]*tlcheck.Result, error) {
	<-r.over
	return r.results, r.err
}

// collect receives the results until all have arrived or the context ends.
func (r *Run) collect(c *sourceChecker) {
	defer close(r.over)
	defer close(r.violations)
	for {
		select {
		case result, ok := <-c.decided:
			if !ok {
				r.end(<-c.ended)
				return
			}
			r.decide(result)
		case <-c.ctx.Done(): // the checker may stay busy for any time
			for len(c.decided) > 0 {
				r.decide(<-c.decided)
			}
			r.end(context.Cause(c.ctx))
			return
		}
	}
}

func (r *Run) decide(result *tlcheck.Result) {
	i := stdslices.IndexFunc(r.results,
		func(old *tlcheck.Result) bool { return old.Property == result.Property && isOpen(old) })
	r.results[i] = result
	if result.Verdict == tlcheck.Violated {
		r.violations <- result
	}
}

// isOpen reports whether a property has no verdict and no reason for having none yet.
func isOpen(r *tlcheck.Result) bool { return r.Verdict == tlcheck.Unknown && r.Covered == "" }

// end ends the run, with the error because of which some properties were not decided.
func (r *Run) end(err error) {
	r.err = err
	for _, result := range r.results {
		if err != nil && isOpen(result) {
			result.Covered, result.Stopped = err.Error(), err
		}
	}
}

// sourceChecker feeds a source into a checker.
type sourceChecker struct {
	*Checker
	ctx     context.Context
	logic   lsl.Logic
	props   []*spec.Property
	decided chan *tlcheck.Result // has room for all results; closed at the end
	ended   chan error           // receives why the run is not known to its end
}

func (c *sourceChecker) run(source event.Reader) {
	err := c.check(source)
	close(c.decided)
	c.ended <- cmp.Or(err, context.Cause(c.ctx))
}

// check checks the events of the source and returns the first error.
func (c *sourceChecker) check(source event.Reader) error {
	ctx, stop := context.WithCancel(c.ctx)
	defer stop() // no more of the source is needed
	f := newFeed(ctx, source)
	select {
	case a := <-f.header:
		if a.err != nil {
			return a.err
		}
		if err := c.begin(a.head); err != nil {
			return err
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return c.close(c.read(f))
}

func (c *sourceChecker) begin(h *event.Header) error {
	if why := h.Untraced(); why != "" {
		return fmt.Errorf("%s, so no property can be decided", why)
	}
	if err := c.sparse(h); err != nil {
		return err
	}
	var err error
	c.Checker, err = New(h, c.props, c.logic)
	return err
}

// sparse finds the properties that a trace without some tasks cannot decide.
func (c *sourceChecker) sparse(h *event.Header) error {
	if !h.Sparse {
		return nil
	}
	var refused []error
	for _, p := range c.props {
		resolved, err := tlcheck.Resolve(h, p)
		if err == nil {
			err = tlcheck.DecidableOnSparse(h, resolved, c.logic)
		}
		refused = append(refused, err)
	}
	return errors.Join(refused...)
}

// versionSize bounds the events of one version: the work for a version can grow with the square of
// its size.
const versionSize = 256

// read adds the events of the source. The events that have arrived in the meantime form a version.
// It returns why the rest of the run is not known, nil at the end of the source.
func (c *sourceChecker) read(f *feed) error {
	var version []arrival
	for {
		var err error
		if version, err = f.take(c.ctx, version); err != nil || len(version) == 0 {
			return err
		}
		for _, a := range version {
			if a.err != nil {
				return a.err
			}
			if err := c.Add(a.event, a.pos); err != nil {
				return err
			}
		}
		if err := c.step(); err != nil {
			return err
		}
	}
}

// step reports the violations that the added events have caused.
func (c *sourceChecker) step() error {
	found, err := c.Checker.Step(c.ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	net := c.builder.Copy() // the run continues
	for _, v := range found {
		if err := c.decide(v.Result(net)); err != nil {
			return err
		}
	}
	return nil
}

// close reports the other verdicts. cut says why the run is not over, nil if it is. It returns cut,
// or why events of a run that is over still wait.
func (c *sourceChecker) close(cut error) error {
	if err := c.step(); err != nil {
		return err
	}
	pending := c.PendingError()
	var how tlcheck.Truncation
	if cut != nil {
		how = "cut off"
	}
	settled, _, err := c.Settle(c.ctx, how)
	for _, r := range settled {
		if err == nil {
			err = c.decide(r)
		}
	}
	return cmp.Or(err, cut, pending)
}

// decide reports a result whose net does not change any more.
func (c *sourceChecker) decide(r *tlcheck.Result) error {
	if r.Verdict == tlcheck.Violated {
		if err := tlcheck.ExplainViolation(c.ctx, r, tlcheck.Options{}); err != nil {
			return err
		}
	}
	c.decided <- r
	return nil
}
