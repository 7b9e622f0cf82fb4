package tltest

import (
	"io"

	"github.com/antichain-go/antichain/tracer/event"
)

// reader is an event.Reader of recorded events.
type reader struct {
	header *event.Header
	events []event.Event
	next   int
}

func (r *reader) Header() (*event.Header, error) { return r.header, nil }

func (r *reader) Next(e *event.Event) error {
	if r.next == len(r.events) {
		return io.EOF
	}
	e.CopyFrom(&r.events[r.next])
	r.next++
	return nil
}

func (r *reader) Pos() string {
	if r.next == 0 {
		return "recorder"
	}
	return r.events[r.next-1].At
}
