package onthefly

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// maxAhead is how many bytes of events are read ahead, but for one event.
const maxAhead = 16 << 20

// heavyEvent is the size in bytes of events whose memory is not used again.
const heavyEvent = 4 << 10

// feed reads a source ahead of who takes its events. They are handed over by as many as there are:
// a channel would take longer for each than building the net does.
type feed struct {
	header chan arrival // one, with the header or an error

	mu    sync.Mutex
	queue []arrival      // not yet taken, at most versionSize; an error is the last one
	spare []*event.Event // which are not needed any more
	bytes int64          // of the events in the queue and of those that were taken last
	over  bool           // nothing comes behind the queue

	more chan struct{} // has room for one; the queue is not empty any more, or nothing comes
	room chan struct{} // has room for one; events were taken
}

// arrival is a header, an event with its position, or an error.
type arrival struct {
	head  *event.Header
	event *event.Event
	size  int64 // of the event
	pos   string
	err   error
}

// newFeed reads a source in a goroutine of its own, which nobody waits for when the context ends: a
// read may take any time.
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

// put adds to the queue when there is room. It returns an event to read into, or nil if the context
// has ended.
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

// take returns what has come meanwhile, at least one arrival, or none at the end of the source.
// What it returned last is not needed any more, and is given back.
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

// reuse takes events back.
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

// signal wakes who waits on a channel with room for one, or is about to.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
