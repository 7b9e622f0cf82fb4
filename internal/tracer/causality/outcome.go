package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// Outcomes. A failed attempt shows the state of an object, and whoever changes that state comes
// after it. A global state does not depend on that: where both have happened, the attempt can have
// come first. But in an order of calls and returns (package linearizability) the change may have
// returned before the attempt was called, and then it would have succeeded. So Options.Outcomes
// adds this order.

// noteOutcome notes that an attempt of g has failed, or that g has found a WaitGroup at zero.
func (p *Order) noteOutcome(g *goroutine, rec *ring.Record) {
	if !p.opt.Outcomes {
		return
	}
	o := p.object(rec.Addr)
	switch rec.Op() {
	case ring.OpSend, ring.OpRecv, ring.OpWait:
	case ring.OpLock, ring.OpRLock:
		if rec.Aux != rec.Addr && rec.Aux != 0 {
			o = p.object(rec.Aux)
		}
	default:
		return
	}
	seen := &o.ensureRare().outcomes
	seen.failed = p.know.union(seen.failed, g.know.kept)
	if o.held != nil && o.held.isFree() && seen.ended != nil {
		// The end of a section is recorded before it takes effect.
		seen.ended.know.kept = p.know.union(seen.ended.know.kept, g.know.kept)
	}
}

// outcomes are the failed attempts at an object since its state has changed.
type outcomes struct {
	failed known
	sent   known      // all that was sent on a channel
	ended  *goroutine // has ended the last section
}

// orderSend orders g, which is about to send on a buffered channel, after what was sent before: the
// elements come out in the order in which they went in.
func (p *Order) orderSend(g *goroutine, o *object) {
	if p.opt.Outcomes {
		g.know.kept = p.know.union(g.know.kept, o.ensureRare().outcomes.sent)
	}
}

// noteSent notes that g has sent on a channel. Closing it comes after that.
func (p *Order) noteSent(g *goroutine, addr uint64) {
	if p.opt.Outcomes && g != nil {
		sent := &p.object(addr).ensureRare().outcomes.sent
		*sent = p.know.union(*sent, g.know.kept)
	}
}

func (l *lock) isFree() bool {
	return l.writing.g == nil && (l.readers == nil || len(l.readers.reading) == 0)
}

// learnOutcomes orders g, which is about to change the state of an object, after those that have
// found it in that state.
func (p *Order) learnOutcomes(g *goroutine, o *object) {
	if !p.opt.Outcomes || o.rare == nil {
		return
	}
	seen := &o.rare.outcomes
	g.know.kept = p.know.union(g.know.kept, seen.failed)
	seen.failed = known{}
}

// learnOutcomesOfLock is learnOutcomes for a goroutine that begins or ends a section.
func (p *Order) learnOutcomesOfLock(g *goroutine, o *object, rec *ring.Record, ends bool) {
	if !p.opt.Outcomes {
		return
	}
	if rec.Aux != rec.Addr && rec.Aux != 0 {
		o = p.object(rec.Aux)
	}
	p.learnOutcomes(g, o)
	if ends {
		o.ensureRare().outcomes.ended = g
	}
}
