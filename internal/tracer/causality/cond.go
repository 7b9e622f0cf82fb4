package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// readSignal reads that g wakes the longest waiter of a Cond, or all of them. A wakeup comes after
// the signals that have woken earlier waiters.
func (p *Order) readSignal(g *goroutine, rec *ring.Record) {
	signals := ensure(&p.object(rec.Aux).ensureRare().signals)
	if rec.Addr != rec.Aux {
		before := *signals
		p.object(rec.Addr).ensureRare().signals = &before
	}
	signals.kept = p.know.union(signals.kept, g.know.kept)
	if p.watch == nil {
		return
	}
	if r := p.reduceRelation(queues); g.know.ops.knows(&signals.ops, r) {
		// as at the place where the woken ones start those that signal next
		signals.ops = g.know.ops
	} else {
		signals.ops.merge(&p.know.clocks, &g.know.ops, r)
	}
}

// readWoken reads that g, at o or at the Cond itself, has been woken by a signal, if there was one.
func (p *Order) readWoken(g *goroutine, o *object, rec *ring.Record) {
	if o.rare == nil || o.rare.signals == nil {
		return
	}
	p.learnMore(g, o.rare.signals, queues)
	if rec.Addr != rec.Aux {
		o.rare.signals = nil
	}
}
