package input

import (
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

// spanRun reads the run of a trace of spans, which is built when it is wanted.
type spanRun struct {
	trace   otlp.Trace
	options otlp.Options
	run     *otlp.Run
}

// Header builds the run.
func (r *spanRun) Header() (*event.Header, error) {
	if r.run == nil {
		var err error
		if r.run, err = r.trace.Build(r.options); err != nil {
			return nil, err
		}
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

// Pos names the span of the last event.
func (r *spanRun) Pos() string { return r.run.Pos() }
