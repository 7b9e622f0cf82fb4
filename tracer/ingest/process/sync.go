package process

import (
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// unlocks are the operations whose release the order without locks leaves out.
var unlocks = [ring.OpCount]bool{ring.OpUnlock: true, ring.OpRUnlock: true, ring.OpOnceUnlock: true}

// learn adds s to what g knows, in the order without locks only if free.
func (p *Process) learn(g *goroutine, s *causalKnowledge, free bool) {
	g.know.kept = p.know.union(g.know.kept, s.kept)
	if p.watch == nil {
		return
	}
	p.watch.before = g.know.ops
	if g.self == op.NoTask {
		g.know.ops.merge(&s.ops, free)
	} else {
		g.know.ops.learn(&s.ops, free)
	}
}

// learnShared is learn for what several have handed on.
func (p *Process) learnShared(g *goroutine, s *sharedKnowledge, free bool) {
	s.settle(free)
	p.learn(g, &s.causalKnowledge, free)
	if p.watch != nil && free && g.self != op.NoTask && s.ops.task == op.NoTask {
		s.ops.learntBy(g)
	}
	for i := range s.others {
		if of := &s.others[i]; g.self == op.NoTask {
			g.know.ops.merge(of, free)
		} else {
			g.know.ops.learn(of, free)
		}
	}
}

// share adds what g knows to what others have handed on.
func (p *Process) share(s *sharedKnowledge, g *goroutine, free bool) {
	s.kept = p.know.union(s.kept, g.know.kept)
	if p.watch != nil {
		s.add(&g.know.ops, free)
	}
}

func (p *Process) acquire(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	if rec.Op() == ring.OpTimer && g.system {
		// A timer context runs one timer after the other, which have nothing to do with
		// each other.
		g.know = causalKnowledge{}
		p.learnShared(g, &o.released, true)
		g.firing = p.timers[rec.Addr]
		delete(p.timers, rec.Addr)
		return
	}
	p.learnShared(g, &o.released, !o.lock)
	p.syncOperation(g, rec)
}

func (p *Process) release(g *goroutine, rec *ring.Record) {
	p.syncOperation(g, rec)
	o, lock := p.object(rec.Addr), unlocks[rec.Op()]
	switch {
	case rec.Kind == ring.KindRelease:
		o.released.set(&g.know)
	case lock == o.lock:
		p.share(&o.released, g, !lock)
	default: // the memory is not used for what it was
		o.released.forget()
		p.share(&o.released, g, !lock)
	}
	o.lock = lock
}

func (p *Process) acquireRelease(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	p.learnShared(g, &o.released, !o.lock)
	p.syncOperation(g, rec)
	o.released.set(&g.know)
	o.lock = false
}

func (p *Process) mark(g *goroutine, rec *ring.Record) {
	if does := rec.Op(); (does == ring.OpSignal || does == ring.OpBroadcast) && rec.Delta() == ring.OpVain>>ring.OpShift {
		if p.watch != nil { // not for the trace
			p.tellSync(g, rec)
		}
		return
	}
	p.syncOperation(g, rec)
}

func (p *Process) atomicLoad(g *goroutine, rec *ring.Record) {
	v := p.object(rec.Addr).variable()
	p.learn(g, &v.stored, true)
	p.atomicOperation(g, rec, "load")
	p.share(&v.loaded, g, true)
}

// atomicStore reads a store or a read-modify-write. Conflicting accesses keep the
// order that they had in the run: a store comes after the loads that did not see it.
func (p *Process) atomicStore(g *goroutine, rec *ring.Record, does string) {
	v := p.object(rec.Addr).variable()
	p.learn(g, &v.stored, true)
	p.learnShared(g, &v.loaded, true)
	p.atomicOperation(g, rec, does)
	v.stored = g.know
	v.loaded.set(&causalKnowledge{})
}

// atomicOperation is operation for atomics. Those with which the standard library builds its
// own things (contexts, sync.Once, sync.Map) are no events, they only move knowledge.
func (p *Process) atomicOperation(g *goroutine, rec *ring.Record, does string) {
	if p.watch != nil {
		p.tellAtomic(g, rec)
	}
	if p.opt.Full && p.lookUp(rec.PC).library {
		p.settle(g)
		return
	}
	p.operation(g, rec, does, classAtomic, rec.Addr)
}

// syncOperation is operation for the kinds that carry an operation of their own.
func (p *Process) syncOperation(g *goroutine, rec *ring.Record) {
	if p.watch != nil {
		p.tellSync(g, rec)
	}
	p.syncEvent(g, rec)
}

// channel is what a channel's operations hand on.
type channel struct {
	guard  *guard // nil: it is not used as a lock
	closed causalKnowledge
	slots  []causalKnowledge           // the buffer, as far as it is in use
	far    map[uint64]*causalKnowledge // slots that a scribbled record names, far behind the others
}

// slot returns a slot of the buffer.
func (c *channel) slot(i uint64) *causalKnowledge {
	switch {
	case i < uint64(len(c.slots)):
		return &c.slots[i]
	case i == uint64(len(c.slots)): // buffers fill from the front
		c.slots = append(c.slots, causalKnowledge{})
		return &c.slots[i]
	}
	if c.far[i] == nil {
		if c.far == nil {
			c.far = map[uint64]*causalKnowledge{}
		}
		c.far[i] = new(causalKnowledge)
	}
	return c.far[i]
}

func (p *Process) channel(addr uint64) *channel {
	o := p.object(addr)
	if o.channel == nil {
		o.channel = new(channel)
	}
	return o.channel
}

// makeChan makes a new object of an address: the garbage collector hands out the
// memory of dead channels again.
func (p *Process) makeChan(g *goroutine, rec *ring.Record) {
	p.objects.at(rec.Addr).renew()
	if p.watch != nil {
		p.tellMakeChan(g, rec)
		if rec.Aux == 1 {
			p.channel(rec.Addr).guard = new(guard)
		}
	}
}

// transfer reads a buffered send or receive.
func (p *Process) transfer(g *goroutine, rec *ring.Record, does string) {
	c := p.channel(rec.Addr)
	lock := p.locks(c, g, rec)
	slot := c.slot(rec.Aux)
	p.learn(g, slot, !lock)
	if lock {
		p.watch.locking = true // for chanOperation
	}
	p.chanOperation(g, rec, does)
	*slot = g.know
	if lock && rec.Kind == ring.KindRecv {
		p.share(&c.guard.left, g, true)
	}
}

// chanOperation is operation for channels.
func (p *Process) chanOperation(g *goroutine, rec *ring.Record, does string) {
	if p.watch != nil {
		p.tellChannel(g, rec)
	}
	p.operation(g, rec, does, classChan, rec.Addr)
}

func (p *Process) closeChan(g *goroutine, rec *ring.Record) {
	p.chanOperation(g, rec, "close")
	p.channel(rec.Addr).closed = g.know
}

func (p *Process) recvClosed(g *goroutine, rec *ring.Record) {
	p.learn(g, &p.channel(rec.Addr).closed, true)
	p.chanOperation(g, rec, "recv")
}

// handoff reads an unbuffered transfer. One side may be the runtime or the agent
// (context 0, sender is nil), of which nobody learns.
func (p *Process) handoff(sender *goroutine, rec *ring.Record) {
	receiver := p.goroutines.get(rec.Aux)
	switch {
	case receiver == nil && rec.Aux != 0:
		p.corrupt(rec, "to an unknown goroutine")
		return
	case receiver == nil && sender == nil:
		return
	case receiver == sender:
		p.corrupt(rec, "to itself")
		return
	}
	if p.watch != nil {
		p.tellHandoff(sender, receiver, rec)
	}
	switch {
	case receiver == nil:
		p.operation(sender, rec, "send", classChan, rec.Addr)
	case sender == nil:
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
	case p.showsBoth(sender, receiver):
		p.jointEvent(sender, receiver, rec)
	default:
		p.meet(sender, receiver)
		p.operation(sender, rec, "send", classChan, rec.Addr)
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
		p.meet(sender, receiver) // one of them may have shown its side
	}
}

// finalizers reads that a goroutine begins to run finalizers or cleanups. What made
// their objects unreachable came before, and as only the garbage collector knows
// what that was, it is taken to be all that happened. Where no finalizer can run code
// of the program, those of the library need not know.
func (p *Process) finalizers(g *goroutine) {
	if !p.opt.Env {
		return
	}
	p.goroutines.each(func(h *goroutine) { p.learn(g, &h.know, true) })
	for _, kept := range p.ended {
		g.know.kept = p.know.union(g.know.kept, kept)
	}
	p.ended = append(p.ended[:0], g.know.kept)
	if p.watch != nil {
		p.learn(g, &p.watch.ended, true)
		p.step(g)
		p.finalizes(g)
	}
}

// showsBoth reports whether both sides of a handoff become events. Where that is to end
// phases (see settle) it is one action too: were it two, one side could seem to have gone
// on while the other is still in its phase, which no order of the full trace has.
func (p *Process) showsBoth(sender, receiver *goroutine) bool {
	return sender.fresh && receiver.fresh || p.opt.Full && p.shows(sender) && p.shows(receiver)
}

// meet tells each of two goroutines which events the other knows.
func (p *Process) meet(g, h *goroutine) {
	both := p.know.union(g.know.kept, h.know.kept)
	g.know.kept, h.know.kept = both, both
}
