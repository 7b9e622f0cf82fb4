package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// token is the element of a channel with room for one that serves as a lock, if Options.Sections has sections order nothing. Either there is
// none while nobody is in a section, and whoever sends it receives it again; or the first task has put it in at the beginning, and
// whoever receives it sends it again. Then it has to be the same element each time, since nobody may find out from whom he has it. Which of the
// two it is shows when a second task uses the channel.
//
// The first operation that fits neither ends that, and so does the first one of the standard library. It comes after the operation before it, and so
// after the ends of all sections before that in whatever slice it is, since these exclude the last one. What follows has the order of the run.
type token struct {
	first  op.Task // who alone has used the channel, until it shows how that starts; NoTask: nobody
	holder op.Task // who has received the element, if the channel starts full
	starts uint8   // how the channel does

	full bool  // the element is in the channel
	same bool  // all elements so far were the same
	made known // by who has sent the first one, which whoever receives it has to know
}

const (
	startsUnknown = iota
	startsEmpty
	startsFull
)

func newToken() *token { return &token{first: op.NoTask, holder: op.NoTask} }

// serve returns what an operation of a task on a channel does to a critical section of the program, as in Event.Op; "" if it is none.
// Locks says whether it locks or unlocks a channel that starts empty.
func (t *token) serve(by op.Task, rec *ring.Record, locks bool) string {
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

// toKnow is what whoever begins a section has to know besides.
func (t *token) toKnow() known {
	if t.starts == startsFull {
		return t.made
	}
	return known{}
}

// serves returns what token.serve does.
func (p *Order) serves(c *channel, g *goroutine, rec *ring.Record, locks bool) (effect string) {
	t := c.token
	if t == nil {
		return ""
	}
	if g.self != op.NoTask && p.watch != nil && p.shows(g) && !p.isLibrary(rec.PC) {
		effect = t.serve(g.self, rec, locks)
	}
	if effect == "" {
		c.token = nil
	}
	return effect
}
