package ingest

import (
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// spanRun reads the run of a trace of spans. It builds the run on first use.
type spanRun struct {
	trace   otlp.Trace
	options otlp.Options
	run     *otlp.Run // nil before it is built
	err     error     // why it cannot be built
}

// Header builds the run.
func (r *spanRun) Header() (*event.Header, error) {
	if r.run == nil && r.err == nil {
		r.run, r.err = r.trace.Build(r.options)
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.run.Header()
}

// Next returns the next event.
func (r *spanRun) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	return r.run.Next(e)
}

// Pos names the span of the last event, and before that the trace.
func (r *spanRun) Pos() string {
	if r.run == nil || r.err != nil {
		return "trace " + r.trace.ID.String()
	}
	return r.run.Pos()
}
