package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
)

// sink is where a trace goes while the program runs.
type sink interface {
	Begin(h *event.Header) error
	Add(e *event.Event)                // an event that cannot be sent is told in Finish
	Finish(ended *launch.Result) error // the program has ended, and nothing comes any more
}

// recorder takes the events of a running program: it builds the net if something is to be
// checked, and writes the trace if that is wanted.
type recorder struct {
	path   string          // of the trace file; "" for none
	sink   sink            // where the trace goes besides; nil is nowhere
	check  bool            // build the net
	memory context.Context // ends when there is no more memory for the net; nil is never

	header  *event.Header // nil before the first event
	builder *san.Builder
	file    *tracefile.File
	events  int
	unread  *limits.UnreadError // why the net was given up, if it was
	unkept  error               // why the trace file was given up, if it was
}

// begin starts with the header.
func (r *recorder) begin(h *event.Header) error {
	var err error
	r.header = h
	if r.check {
		if r.builder, err = san.NewBuilder(h); err != nil {
			return err
		}
	}
	if r.path != "" {
		r.file, r.unkept = tracefile.Create(r.path, tracefile.FormOf(r.path), h)
	}
	if r.sink != nil {
		return r.sink.Begin(h)
	}
	return nil
}

// add takes one event.
func (r *recorder) add(e *event.Event) error {
	r.events++
	if r.file != nil && r.unkept == nil {
		r.unkept = r.file.Write(e) // the net is built without a file too
	}
	if r.sink != nil {
		r.sink.Add(e)
	}
	if r.builder == nil {
		return nil
	}
	if r.memory != nil && r.memory.Err() != nil {
		r.unread = &limits.UnreadError{Events: r.events, Cause: context.Cause(r.memory)}
		r.builder = nil // its memory is wanted elsewhere, and the program goes on
		return nil
	}
	return r.builder.AddFrom(e, r)
}

// Pos tells the builder which event it was given last.
func (r *recorder) Pos() string { return fmt.Sprintf("event %d of the program", r.events) }

// await waits for the end of the program and keeps its trace.
func (r *recorder) await(run *launch.Run, c *check.Checker) *launch.Result {
	ended, err := run.Wait()
	if err != nil {
		c.ReportError(err)
	}
	if err := r.keep(&ended); err != nil {
		c.ReportError(err)
	}
	if r.sink != nil {
		if err := r.sink.Finish(&ended); err != nil {
			c.ReportError(err)
		}
	}
	return &ended
}

// keep completes the trace file, if one was asked for. A file does not show that
// something is missing, and a verdict on it could be wrong: then there is none.
func (r *recorder) keep(ended *launch.Result) error {
	if r.file == nil || ended.Missing == 0 {
		return r.finish()
	}
	r.abandon()
	return fmt.Errorf("no trace is kept: %s", findings.Missing(ended))
}

// finish completes the trace file with what was recorded.
func (r *recorder) finish() error {
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
func (r *recorder) abandon() {
	if r.file != nil {
		r.file.Abandon()
	}
}

// errNoEvents says that a program has not recorded anything.
var errNoEvents = errors.New("the program recorded nothing: it ended before its first event, or is not the traced one")

// net returns the net of what was recorded.
func (r *recorder) net() (*san.Net, error) {
	if r.builder == nil {
		return nil, errNoEvents
	}
	return r.builder.Finish()
}
