package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// timer is what the outcomes of Stop and Reset of a timer show: whether it was pending. If so, that comes after who has made it
// pending. Else it comes after what has ended that: the timer has fired, what it has sent was received, or it was stopped.
type timer struct {
	pending     causalKnowledge // by who has made it pending: has made the timer, or has reset it when it was not
	armed, idle causalKnowledge // by who has made or reset it last, and by what has ended that it was pending
	isOld       bool            // it has been reset; then foundPending and foundIdle say whether that has made it pending
}

func (p *Order) timer(rec *ring.Record) *timer {
	return used(&p.object(rec.Addr).uncommon().timer)
}

// arm reads that g makes a timer or arms it again. If it starts a function, that has a record of its own.
func (p *Order) arm(g *goroutine, rec *ring.Record) {
	more := p.object(rec.Addr).uncommon()
	isOld := rec.Kind == ring.KindRelease && more.timer != nil
	t := used(&more.timer)
	t.isOld = t.isOld || isOld
	t.armed = g.know
	if !t.isOld {
		t.pending = g.know
	}
}

// foundPending reads that a timer was pending when g has stopped it, or armed it again.
func (p *Order) foundPending(g *goroutine, rec *ring.Record) {
	t := p.timer(rec)
	p.learn(g, &t.pending, decides)
	p.syncOperation(g, rec, false)
	if rec.Op() == ring.OpStop {
		t.idle = g.know
	}
}

// foundIdle reads that it was not.
func (p *Order) foundIdle(g *goroutine, rec *ring.Record) {
	t := p.timer(rec)
	p.learnMore(g, &t.idle, decides)
	if rec.Aux != rec.Addr && rec.Aux != 0 {
		p.learnLast(g, rec.Aux)
	}
	if rec.Op() == ring.OpTimer {
		t.pending = p.knowsBetween(g)
	}
}
