package onthefly

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/antichain-go/antichain/tracer/event"
)

// maxAhead is how many bytes of events are read ahead, but for one event.
const maxAhead = 16 << 20

// heavyEvent is the size in bytes of events whose memory is not used again.
const heavyEvent = 4 << 10

// feed has what a source has sent.
type feed struct {
	header chan arrival      // one, with the header or an error
	events chan arrival      // closed at the end of the source; an error is the last one
	spare  chan *event.Event // which are not needed any more
	bytes  atomic.Int64      // of the events that are read and not reused yet
	room   chan struct{}     // has room for one; bytes has fallen
}

// arrival is a header, an event with its position, or an error.
type arrival struct {
	head  *event.Header
	event *event.Event
	size  int64 // of the event
	pos   string
	err   error
}

// newFeed reads a source in a goroutine of its own, which nobody waits for when the context ends: a read may take
// any time.
func newFeed(ctx context.Context, source event.Reader) *feed {
	f := &feed{header: make(chan arrival, 1), events: make(chan arrival, versionSize),
		spare: make(chan *event.Event, versionSize), room: make(chan struct{}, 1)}
	go f.read(ctx, source)
	return f
}

func (f *feed) read(ctx context.Context, source event.Reader) {
	defer close(f.events)
	h, err := source.Header()
	f.header <- arrival{head: h, err: err}
	for err == nil {
		a := arrival{event: f.take()}
		if err = source.Next(a.event); errors.Is(err, io.EOF) {
			return
		}
		a.pos, a.err, a.size = source.Pos(), err, int64(a.event.Size())
		for f.bytes.Load() >= maxAhead {
			select {
			case <-f.room:
			case <-ctx.Done():
				return
			}
		}
		f.bytes.Add(a.size)
		select {
		case f.events <- a:
		case <-ctx.Done():
			return
		}
	}
}

// take returns an event to read into.
func (f *feed) take() *event.Event {
	select {
	case e := <-f.spare:
		return e
	default:
		return new(event.Event)
	}
}

// reuse takes the event of an arrival back.
func (f *feed) reuse(a arrival) {
	f.bytes.Add(-a.size)
	select {
	case f.room <- struct{}{}:
	default:
	}
	if a.size > heavyEvent {
		return
	}
	select {
	case f.spare <- a.event:
	default:
	}
}
