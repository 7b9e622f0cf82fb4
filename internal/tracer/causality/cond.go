package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// signal reads that g wakes who has waited longest for a Cond, or everybody. Who is woken comes after the signals that have woken
// others that have waited longer.
func (p *Order) signal(g *goroutine, rec *ring.Record) {
	signals := used(&p.object(rec.Aux).uncommon().signals)
	if rec.Addr != rec.Aux {
		before := *signals
		p.object(rec.Addr).uncommon().signals = &before
	}
	signals.kept = p.know.union(signals.kept, g.know.kept)
	if p.watch == nil {
		return
	}
	if r := p.asked(queues); g.know.ops.knows(&signals.ops, r) {
		signals.ops = g.know.ops // as where those who are woken start the ones that signal next
	} else {
		signals.ops.merge(&p.know.clocks, &g.know.ops, r)
	}
}

// woken reads that g, at o or at the Cond itself, has been woken, if anybody has signalled it.
func (p *Order) woken(g *goroutine, o *object, rec *ring.Record) {
	if o.more == nil || o.more.signals == nil {
		return
	}
	p.learnMore(g, o.more.signals, queues)
	if rec.Addr != rec.Aux {
		o.more.signals = nil
	}
}
