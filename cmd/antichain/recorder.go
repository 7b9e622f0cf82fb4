package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// recorder takes the events of a running program: it builds the net if something is to be
// checked, and writes the trace if that is wanted.
type recorder struct {
	path   string              // of the trace file; "" for none
	ship   *delivery.KafkaSink // sends the trace elsewhere; nil is nowhere
	check  bool                // build the net
	memory context.Context     // ends when there is no more memory for the net; nil is never

	header  *event.Header // nil before the first event
	builder *san.Builder
	file    *traceFile
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
		r.file, r.unkept = createTrace(r.path, formOf(r.path), h)
	}
	if r.ship != nil {
		return r.ship.Begin(h)
	}
	return nil
}

// add takes one event.
func (r *recorder) add(e *event.Event) error {
	r.events++
	if r.file != nil && r.unkept == nil {
		r.unkept = r.file.Write(e) // the net is built without a file too
	}
	if r.ship != nil {
		r.ship.Add(e)
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

// finish completes the trace file with what was recorded.
func (r *recorder) finish() error {
	switch {
	case r.unkept != nil:
		r.abandon()
		return r.unkept
	case r.file == nil:
		return nil
	}
	return r.file.finish()
}

// abandon removes the unfinished trace file.
func (r *recorder) abandon() {
	if r.file != nil {
		r.file.abandon()
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
