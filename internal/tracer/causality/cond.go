package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// signal reads that g wakes the longest waiter of a Cond, or all of them. A wakeup comes after the
// signals that have woken earlier waiters.
func (p *Order) signal(g *goroutine, rec *ring.Record) {
	signals := ensure(&p.object(rec.Aux).uncommon().signals)
	if rec.Addr != rec.Aux {
		before := *signals
		p.object(rec.Addr).uncommon().signals = &before
	}
	signals.kept = p.know.union(signals.kept, g.know.kept)
	if p.watch == nil {
		return
	}
	if r := p.asked(queues); g.know.ops.knows(&signals.ops, r) {
		// as at the place where the woken ones start those that signal next
		signals.ops = g.know.ops
	} else {
		signals.ops.merge(&p.know.clocks, &g.know.ops, r)
	}
}

// woken reads that g, at o or at the Cond itself, has been woken by a signal, if there was one.
func (p *Order) woken(g *goroutine, o *object, rec *ring.Record) {
	if o.more == nil || o.more.signals == nil {
		return
	}
	p.learnMore(g, o.more.signals, queues)
	if rec.Addr != rec.Aux {
		o.more.signals = nil
	}
}
