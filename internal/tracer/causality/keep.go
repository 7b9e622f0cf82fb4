package causality

import (
	"math"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// keep writes p.ev as the next event of g, which is a task, with its causes.
func (p *Order) keep(g *goroutine) *node {
	p.causes(g.know.kept, g.last, nil)
	n := p.know.newNode(g.task, p.countEvent(g), p.baseOf(g.know.kept.order, g))
	g.last, g.know.kept = n, n.singleton()
	g.atEdge = p.ev.Enter != "" || p.ev.Exit != ""
	p.write(g.task)
	return n
}

// settle keeps an event without content if g's latest one entered or left a function. The phase
// start or term lasts until a task's next event. If that event were dropped, for being an unlock,
// say, the task would still seem to be in that phase when the next owner of the lock enters the
// function: a violation that no order of the full trace has.
func (p *Order) settle(g *goroutine) {
	if g.atEdge {
		p.ev.Reset()
		p.keep(g)
	}
}

// countEvent counts one more event of g.
func (p *Order) countEvent(g *goroutine) int32 {
	if g.k == math.MaxInt32-1 {
		p.err = errTooMany
		return g.k
	}
	g.k++
	return g.k
}

// baseOf returns the clock of an event of g that comes after all in know.
func (p *Order) baseOf(know *set, g *goroutine) *clock.Clock {
	switch {
	case know == nil:
		return nil
	case g.last != nil && know == &g.last.own && g.last.task == g.task:
		return g.last.base // nothing new
	}
	return withEvents(know.baseJoin(&p.know.clocks), know.events)
}

// causes sets the causes of p.ev: all of know except two events that precede anyway.
func (p *Order) causes(know known, last, other *node) {
	p.ev.After = appendCauses(p.ev.After[:0], know.order, last, other)
	if know.data != know.order {
		p.ev.Seen = appendCauses(p.ev.Seen[:0], know.data, last, other)
	}
}

// appendCauses appends the events of know except two that precede anyway.
func appendCauses(refs []event.Ref, know *set, last, other *node) []event.Ref {
	if know == nil {
		return refs
	}
	for _, n := range know.events {
		if n != last && n != other {
			refs = append(refs, event.Ref{Task: n.task.name, K: int(n.k)})
		}
	}
	return refs
}

// write emits p.ev.
func (p *Order) write(t *task) {
	if p.err != nil {
		return
	}
	p.ev.Task = t.name
	p.err = p.opt.Keep(&p.ev)
}

// isVisible reports whether g's actions outside of traced functions can become events.
func (p *Order) isVisible(g *goroutine) bool {
	return g.task != nil || !g.system && p.isTask(g)
}

// starts reports whether goroutines that g starts are goroutines of the program and children of g.
// Those that the runtime starts for its own purposes are not.
func (p *Order) starts(g *goroutine) bool {
	if p.sparse {
		return g.task != nil || !g.system && p.hasName(g)
	}
	return p.isVisible(g)
}

// operation keeps an operation of the program as an event, in full mode or to end the
// phase that g is in (see settle).
func (p *Order) operation(g *goroutine, rec *ring.Record, does string, c class, addr uint64) {
	if p.opt.Full || g.atEdge {
		p.keepOperation(g, rec, does, c, addr)
	}
}

// keepOperation keeps an operation of the program as an event.
func (p *Order) keepOperation(g *goroutine, rec *ring.Record, does string, c class, addr uint64) {
	if !p.isVisible(g) {
		return
	}
	p.ev.Reset()
	p.ev.Op = does
	p.ev.Obj = p.objectName(addr, c)
	switch {
	case rec.Kind != ring.KindHandoff:
		p.ev.At = p.position(rec.PC)
	case does == "send":
		p.ev.At = p.positionOf(rec.PC[sendPC])
	default:
		p.ev.At = p.positionOf(rec.PC[recvPC])
	}
	p.keep(g)
}

// syncEvent is operation for the kinds that carry an operation of their own. Operations of the
// standard library for its own purposes (OpNone) only move knowledge. section says that it begins
// or ends a critical section of Options.Sections: no other operation may look like one.
func (p *Order) syncEvent(g *goroutine, rec *ring.Record, section bool) {
	if !p.opt.Full && !g.atEdge && !section {
		return
	}
	does := rec.Op()
	addr, c := p.subject(rec)
	hidden := c == classNone || c == classTimer ||
		does == ring.OpOnce && rec.Kind == ring.KindRelease || // the return of Do is the event
		does == ring.OpWait && !p.opt.Full || // earlier operations show on which object
		p.opt.Sections && !section && locking[does]
	if hidden {
		p.settle(g)
		return
	}
	if section {
		p.keepOperation(g, rec, does.String(), c, addr)
		return
	}
	p.operation(g, rec, does.String(), c, addr)
}

// A handoff has one address of each side.
const (
	sendPC = 0
	recvPC = 1
)

// jointEvent writes an unbuffered transfer: one action, an event on each side.
//
// To the knowledge it is one event, the receiver's, which comes after the sender's.
func (p *Order) jointEvent(sender, receiver *goroutine, rec *ring.Record) {
	both := p.know.union(sender.know.kept, receiver.know.kept)
	base := p.baseOf(both.order, sender)
	lastSent, lastReceived := sender.last, receiver.last
	ks, kr := p.countEvent(sender), p.countEvent(receiver)
	sent := p.know.newNode(sender.task, ks, base)
	joint := p.know.newNode(receiver.task, kr, withEvents(base, []*node{sent}))
	sender.last, sender.know.kept = joint, joint.singleton()
	receiver.last, receiver.know.kept = joint, joint.singleton()
	sender.atEdge, receiver.atEdge = false, false

	p.ev.Reset()
	p.ev.Op = "send"
	p.ev.Obj = p.objectName(rec.Addr, classChan)
	p.ev.At = p.positionOf(rec.PC[sendPC])
	p.causes(both, lastSent, lastReceived)
	p.ev.With = append(p.ev.With, event.Ref{Task: receiver.task.name, K: int(kr)})
	p.write(sender.task)

	p.ev.Op = "recv"
	p.ev.At = p.positionOf(rec.PC[recvPC])
	p.ev.After, p.ev.Seen = p.ev.After[:0], p.ev.Seen[:0]
	p.ev.With = append(p.ev.With[:0], event.Ref{Task: sender.task.name, K: int(ks)})
	p.write(receiver.task)
}
