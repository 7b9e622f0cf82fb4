package causality

import "github.com/antichain-go/antichain/tracer/ring"

// signal reads that g wakes who has waited longest for a Cond, or everybody. Who is woken comes after the signals that have woken
// others that have waited longer.
func (p *Order) signal(g *goroutine, rec *ring.Record) {
	cond := p.object(rec.Aux)
	if cond.signals == nil {
		cond.signals = new(causalKnowledge)
	}
	if rec.Addr != rec.Aux {
		before := *cond.signals
		p.object(rec.Addr).signals = &before
	}
	cond.signals.kept = p.know.union(cond.signals.kept, g.know.kept)
	if p.watch == nil {
		return
	}
	if r := p.asked(queues); g.know.ops.knows(&cond.signals.ops, r) {
		cond.signals.ops = g.know.ops // as where those who are woken start the ones that signal next
	} else {
		cond.signals.ops.merge(&p.know.clocks, &g.know.ops, r)
	}
}

// woken reads that g, at o or at the Cond itself, has been woken.
func (p *Order) woken(g *goroutine, o *object, rec *ring.Record) {
	p.learnMore(g, o.signals, queues)
	if rec.Addr != rec.Aux {
		o.signals = nil
	}
}
