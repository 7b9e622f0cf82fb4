package stream

import (
	"context"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// What waits in a mailbox is bounded by the number of items, which is also the size of a
// version, and by the bytes that their events take.
const (
	maxItems = 4096
	maxBytes = 16 << 20
)

// What an item says.
type message uint8

const (
	begins  message = iota // a producer has sent its header
	sends                  // a producer has sent an event
	loses                  // a producer goes on, and events may be missing for a reason that the error gives
	ends                   // a producer has closed its stream, or broken off with an error
	retires                // a source has no further producers; the error says why, if not in order
	panics                 // a goroutine has met a bug
)

// item is what a goroutine that reads has to say.
type item struct {
	message message
	from    *producer // nil for retires
	source  Source    // of retires
	header  *event.Header
	event   *event.Event // a slot keeps the last one for who posts next
	pos     string
	err     error
	bug     string // with its stack
	heavy   bool   // the event takes more memory than is worth keeping
}

// mailbox holds what was read until Serve takes it, all at once.
type mailbox struct {
	mu     sync.Mutex
	room   sync.Cond // there is room, or the box is closed
	items  []item
	bytes  int
	spare  []item // was taken; its slots are used again
	closed bool

	mail chan struct{} // something is there
}

func newMailbox() *mailbox {
	b := &mailbox{mail: make(chan struct{}, 1)}
	b.room.L = &b.mu
	return b
}

// heavyEvent is an event the memory of which is not used again.
const heavyEvent = 4 << 10

// post waits for room and lets fill write an item over an old one. It returns false if nobody
// will ever read it.
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

// forget drops what an item holds, but for an event that is not large.
func (it *item) forget() {
	if it.heavy {
		it.event = nil
	}
	it.from, it.source, it.header, it.pos, it.err, it.bug = nil, nil, nil, "", nil, ""
}

// close lets all who post go on, in vain.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.room.Broadcast()
}
