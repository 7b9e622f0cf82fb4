package ingest

import (
	"errors"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/gotrace"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/antichain-go/antichain/tracer/ingest/std"
)

// FreeOrder turns the events of a run into those of the same run without the order of its critical
// sections. A section begins with an event with the operation lock or rlock and ends with unlock or
// runlock, and no unlock comes before a lock of another task.
type FreeOrder interface {
	// Header returns the header of the events.
	Header() *event.Header

	// Add takes the next event of the run from its reader, operations included.
	Add(*event.Event) error

	// ShowsReads reports whether the Seen of events shows which writes reads have seen.
	ShowsReads() bool

	// Open returns why events may see other values in another order than in the run, although they
	// come after Seen; "" if they cannot. It is called after Finish.
	Open() string

	// Finish is called after the last event. An error says why the events are not those of the run.
	Finish() error
}

// ErrOrderless says that critical sections have no order in the first place.
var ErrOrderless = errors.New("operations do not order the lines of a log of JSON objects in any case")

// Why the order of critical sections cannot be removed from a log.
var (
	errGo     = errors.New("a Go execution trace does not show who holds a lock")
	errClocks = errors.New("vector clocks show the order of events, but not which order comes from a lock")
	errSpans  = errors.New("spans do not show who holds a lock")
)

// NewFreeOrder returns the FreeOrder of a run that is about to be read. It passes each event to
// keep, which must not retain it. An error says which information the run lacks.
func NewFreeOrder(run event.Reader, keep func(*event.Event) error) (FreeOrder, error) {
	h, err := run.Header()
	if err != nil {
		return nil, err
	}
	switch run := run.(type) {
	case *std.Reader:
		return newStdOrder(run, h, keep), nil
	case *ndjson.Run:
		return nil, ErrOrderless
	case *gotrace.Reader:
		return nil, errGo
	case *shiviz.Reader:
		return nil, errClocks
	case *otlp.Run:
		return nil, errSpans
	}
	return process.NewFreeOrder(h, keep)
}
