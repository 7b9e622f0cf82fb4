package causality

import "github.com/antichain-go/antichain/internal/tracer/ring"

// timer holds what Stop and Reset of a timer reveal: whether it was pending. If so, they come after
// the operation that made it pending. Else they come after the operation that ended this: the timer
// has fired, its value was received, or it was stopped.
type timer struct {
	// by the operation that made it pending: its creation, or a Reset when it was idle
	pending causalKnowledge
	// by its last creation or Reset, and by the operation that made it idle
	armed, idle causalKnowledge
	// idle before its last Reset: it can fire again before that has a record of what it has found
	idleBefore causalKnowledge
	// it has been reset; then foundPending and foundIdle show whether it was idle before
	isOld bool
}

func (p *Order) timer(rec *ring.Record) *timer {
	return ensure(&p.object(rec.Addr).ensureRare().timer)
}

// readArm reads that g makes a timer or arms it again. A function that it starts has a record of
// its own.
func (p *Order) readArm(g *goroutine, rec *ring.Record) {
	more := p.object(rec.Addr).ensureRare()
	isOld := rec.Kind == ring.KindRelease && more.timer != nil
	t := ensure(&more.timer)
	if isOld {
		t.isOld, t.idleBefore = true, t.idle
	}
	t.armed = g.know
	if !t.isOld {
		t.pending = g.know
	}
}

// foundPending reads that a timer was pending when g stopped it, or armed it again.
func (p *Order) foundPending(g *goroutine, rec *ring.Record) {
	t := p.timer(rec)
	p.learn(g, &t.pending, decides)
	p.syncOperation(g, rec, false)
	if rec.Op() == ring.OpStop {
		t.idle = g.know
	}
}

// foundIdle handles a Stop or Reset of a timer that was not pending.
func (p *Order) foundIdle(g *goroutine, rec *ring.Record) {
	t := p.timer(rec)
	idle := &t.idle
	if rec.Op() == ring.OpTimer {
		idle = &t.idleBefore
	}
	p.learnMore(g, idle, decides)
	if rec.Aux != rec.Addr && rec.Aux != 0 {
		p.learnLast(g, rec.Aux)
	}
	if rec.Op() == ring.OpTimer {
		t.pending = p.knowsBetween(g)
	}
}
