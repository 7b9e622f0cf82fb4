package stream

import (
	"context"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// A mailbox is bounded by its number of items, which is also the size of a version, and by the
// bytes of their events.
const (
	maxItems = 4096
	maxBytes = 16 << 20
)

// message is the meaning of an item.
type message uint8

const (
	begins message = iota // a producer has sent its header
	sends                 // a producer has sent an event
	// a producer continues, and events may be missing for the reason in the error
	loses
	ends // a producer has closed its stream, or broken off with an error
	// a source has no further producers; the error is the reason, if not in order
	retires
	panics // a goroutine has met a bug
)

// item is a message of a goroutine that reads.
type item struct {
	message message
	from    *producer // nil for retires
	source  Source    // of retires
	header  *event.Header
	event   *event.Event // a slot keeps the last one for reuse
	pos     string
	err     error
	bug     string // with its stack
	heavy   bool   // the event takes more memory than is worth keeping
}

// mailbox holds items until Serve takes all at once.
type mailbox struct {
	mu     sync.Mutex
	room   sync.Cond // there is room, or the box is closed
	items  []item
	bytes  int
	spare  []item // was taken; its slots are reused
	closed bool

	mail chan struct{} // signals that something is there
}

func newMailbox() *mailbox {
	b := &mailbox{mail: make(chan struct{}, 1)}
	b.room.L = &b.mu
	return b
}

// heavyEvent is the size from which on the memory of an event is not reused.
const heavyEvent = 4 << 10

// post waits for room and lets fill write an item over an old one. It returns false if the item
// will never be read.
func (b *mailbox) post(bytes int, fill func(*item)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && (len(b.items) >= maxItems || b.bytes >= maxBytes) {
		b.room.Wait()
	}
	if b.closed {
		return false
	}
	n := len(b.items)
	if n < cap(b.items) {
		b.items = b.items[:n+1]
	} else {
		b.items = append(b.items, item{})
	}
	fill(&b.items[n])
	b.items[n].heavy = bytes > heavyEvent
	b.bytes += bytes
	select {
	case b.mail <- struct{}{}:
	default:
	}
	return true
}

// take waits until there is something and returns all of it, which is valid until the next call. It
// returns false if the context ends before.
func (b *mailbox) take(ctx context.Context) ([]item, bool) {
	for i := range b.spare {
		b.spare[i].forget()
	}
	select {
	case <-ctx.Done():
		return nil, false
	case <-b.mail:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items, b.spare, b.bytes = b.spare[:0], b.items, 0
	b.room.Broadcast()
	return b.spare, true
}

// forget clears an item, but keeps an event that is not large.
func (it *item) forget() {
	if it.heavy {
		it.event = nil
	}
	it.from, it.source, it.header, it.pos, it.err, it.bug = nil, nil, nil, "", nil, ""
}

// close releases all that wait in post; their items are dropped.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.room.Broadcast()
}
