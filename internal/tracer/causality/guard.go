package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// guard is a channel with capacity one that is used as a lock: each element is received by its
// sender. In the order without locks its operations then order nothing, but two elements are never
// in it at once.
//
// The first send or receive that breaks this pattern ends the use as a lock. It comes after all
// sections so far, and later operations are ordered as on every channel. This over-approximates the
// order, and so no impossible state is reported: sections exclude each other whatever the channel
// is used for later. An operation that finds it closed and empty comes after the close and all
// sections.
type guard struct {
	holder op.Task         // the sender of the element
	full   bool            // the element is in the channel
	left   sharedKnowledge // the knowledge of those that received their element
}

// isLockOp reports whether an operation on a buffered channel locks or unlocks it. At the first
// operation that does not, g learns of all earlier sections.
func (p *Order) isLockOp(c *channel, g *goroutine, rec *ring.Record) bool {
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
