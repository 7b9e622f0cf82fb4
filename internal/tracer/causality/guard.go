package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// guard is a channel with room for one element as long as it is used as a lock: whoever has sent the
// element receives it again. In the order without locks its operations then order nothing; what may
// not happen is that two elements are in it.
//
// The first send or receive of an element that is none of a lock ends that. It comes after all sections there were, and
// what follows is ordered as with every channel. That is more order than there is, and so nothing is
// claimed to be possible that is not: sections exclude each other whatever the channel is used for later.
// Who finds it closed and empty comes after the close and all sections.
type guard struct {
	holder op.Task         // who has sent the element
	full   bool            // it is in the channel
	left   sharedKnowledge // what those knew who received theirs
}

// locks reports whether an operation on a buffered channel locks or unlocks it. If it is the first
// that does not, g learns of all the sections there were.
func (p *Order) locks(c *channel, g *goroutine, rec *ring.Record) bool {
	u := c.guard
	if u == nil {
		return false
	}
	if g.self != op.NoTask {
		switch {
		case rec.Kind == ring.KindSend && !u.full:
			u.full, u.holder = true, g.self
			return true
		case rec.Kind == ring.KindRecv && u.full && u.holder == g.self:
			u.full = false
			return true
		}
	}
	p.learnShared(g, &u.left, synchronises)
	c.guard = nil
	return false
}
