package onthefly

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// maxAhead bounds the bytes of events that are read ahead; one event may exceed it.
const maxAhead = 16 << 20

// heavyEvent is the size in bytes from which the memory of an event is not reused.
const heavyEvent = 4 << 10

// feed reads a source ahead of its consumer. It hands events over in batches: a channel would take
// longer for each event than building the net does.
type feed struct {
	header chan arrival // receives one arrival, with the header or an error

	mu    sync.Mutex
	queue []arrival      // not yet taken, at most versionSize; an error comes last
	spare []*event.Event // free for reuse
	bytes int64          // of the events in the queue and of the last batch
	over  bool           // nothing follows the queue

	more chan struct{} // has room for one; signals that the queue is not empty any more, or over
	room chan struct{} // has room for one; signals that events were taken
}

// arrival is a header, an event with its position, or an error.
type arrival struct {
	head  *event.Header
	event *event.Event
	size  int64 // of the event
	pos   string
	err   error
}

// newFeed reads a source in a goroutine of its own. The end of the context does not wait for it,
// because a read may take any time.
func newFeed(ctx context.Context, source event.Reader) *feed {
	f := &feed{header: make(chan arrival, 1), more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	go f.read(ctx, source)
	return f
}

func (f *feed) read(ctx context.Context, source event.Reader) {
	defer f.end()
	h, err := source.Header()
	f.header <- arrival{head: h, err: err}
	for e := new(event.Event); err == nil && e != nil; {
		if err = source.Next(e); errors.Is(err, io.EOF) {
			return
		}
		e = f.put(ctx, arrival{event: e, size: int64(e.Size()), pos: source.Pos(), err: err})
	}
}

// put appends to the queue when there is room. It returns an event to read into, or nil if the
// context has ended.
func (f *feed) put(ctx context.Context, a arrival) *event.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) >= versionSize || f.bytes >= maxAhead {
		f.mu.Unlock()
		select {
		case <-f.room:
		case <-ctx.Done():
		}
		f.mu.Lock()
		if ctx.Err() != nil {
			return nil
		}
	}
	f.queue = append(f.queue, a)
	f.bytes += a.size
	if len(f.queue) == 1 {
		signal(f.more)
	}
	if n := len(f.spare); n > 0 {
		e := f.spare[n-1]
		f.spare = f.spare[:n-1]
		return e
	}
	return new(event.Event)
}

func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	signal(f.more)
}

// take returns the arrivals so far: at least one, or none at the end of the source. The caller
// returns the previous batch as last, for reuse.
func (f *feed) take(ctx context.Context, last []arrival) ([]arrival, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reuse(last)
	for len(f.queue) == 0 && !f.over {
		f.mu.Unlock()
		select {
		case <-f.more:
		case <-ctx.Done():
		}
		f.mu.Lock()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	var taken []arrival
	taken, f.queue = f.queue, last[:0]
	signal(f.room)
	return taken, nil
}

// reuse takes back the events of a batch.
func (f *feed) reuse(taken []arrival) {
	for _, a := range taken {
		f.bytes -= a.size
		if a.size <= heavyEvent {
			f.spare = append(f.spare, a.event)
		}
	}
	clear(taken)
	if len(taken) > 0 {
		signal(f.room)
	}
}

// signal wakes the goroutine that waits on a channel with room for one, or is about to.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
