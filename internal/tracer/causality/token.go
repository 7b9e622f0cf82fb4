package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// token is the element of a channel with capacity one that serves as a lock, for Options.Sections.
// Either the channel starts empty, and each sender receives its element again. Or the first task
// puts the element in at the beginning, and each receiver sends it again. In the second case it
// must be the same element each time, or it would identify its sender. The second task that uses
// the channel shows which case it is.
//
// The first operation that fits neither case ends the use as a lock, and so does the first
// operation of the standard library. It comes after the operation before it, and so after the ends
// of all earlier sections in every slice, since these exclude the last one. Later operations have
// the order of the run.
type token struct {
	first  op.Task // the only user so far, until the start shows; NoTask: none
	holder op.Task // the receiver of the element, if the channel starts full
	starts uint8   // how the channel starts

	full bool  // the element is in the channel
	same bool  // all elements so far were the same
	made known // the knowledge at the first send, which each receiver must have
}

const (
	startsUnknown = iota
	startsEmpty
	startsFull
)

func newToken() *token { return &token{first: op.NoTask, holder: op.NoTask} }

// effectOf returns the effect of a task's operation on a critical section of the program, as in
// Event.Op; "" if there is none. locks says whether it locks or unlocks a channel that starts
// empty.
func (t *token) effectOf(by op.Task, rec *ring.Record, locks bool) string {
	sends, full := rec.Kind == ring.KindSend, t.full
	if t.full = sends; sends {
		t.same = rec.Delta() != 0 && (t.made == (known{}) || t.same) // see simplify
	}
	switch {
	case t.starts != startsUnknown || t.first == by:
	case t.first == op.NoTask:
		t.first = by
	case locks:
		t.starts = startsEmpty
	default:
		t.starts = startsFull
	}
	switch {
	case t.starts == startsUnknown && locks:
		return event.Serves
	case t.starts == startsEmpty && locks && sends:
		return event.Locks
	case t.starts == startsFull && !sends && full && t.same:
		t.holder = by
		return event.Locks
	case t.starts == startsEmpty && locks, t.starts == startsFull && sends && t.holder == by:
		return event.Unlocks
	}
	return ""
}

// toKnow returns further knowledge that the beginning of each section needs.
func (t *token) toKnow() known {
	if t.starts == startsFull {
		return t.made
	}
	return known{}
}

// sectionEffect returns the effect of an operation on the channel's token, "" if it has none.
func (p *Order) sectionEffect(c *channel, g *goroutine, rec *ring.Record, locks bool) (effect string) {
	t := c.token
	if t == nil {
		return ""
	}
	if g.self != op.NoTask && p.watch != nil && p.isVisible(g) && !p.isLibrary(rec.PC) {
		effect = t.effectOf(g.self, rec, locks)
	}
	if effect == "" {
		c.token = nil
	}
	return effect
}
