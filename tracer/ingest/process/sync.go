package process

import "github.com/antichain-go/antichain/tracer/ring"

// object is whatever goroutines synchronise on at one address. What an address is
// used for changes when memory is reused, and a lock may start with an atomic, so
// each way of synchronising has a knowledge of its own.
type object struct {
	released *set // by KindRelease, KindReleaseMerge
	stored   *set // by the last atomic store
	loaded   *set // by the atomic loads since
	channel  *channel
	name     name
}

// recentObject is an entry of a small cache in front of Process.objects: programs use
// few objects at a time, and nearly every record looks one up, some twice.
type recentObject struct {
	addr uint64
	*object
}

const recentObjects = 1 << 10

func (p *Process) object(addr uint64) *object {
	// Addresses of objects are multiples of at least 4.
	recent := &p.recent[(addr>>2^addr>>12)%recentObjects]
	if recent.addr == addr && recent.object != nil {
		return recent.object
	}
	o := p.objects[addr]
	if o == nil {
		o = new(object)
		p.objects[addr] = o
	}
	*recent = recentObject{addr, o}
	return o
}

func (p *Process) learn(g *goroutine, s *set) { g.know = p.know.union(g.know, s) }

func (p *Process) acquire(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	if rec.Op() == ring.OpTimer && g.system {
		// A timer context runs one timer after the other, which have nothing to do with
		// each other.
		g.know = o.released
		g.firing = p.timers[rec.Addr]
		delete(p.timers, rec.Addr)
		return
	}
	p.learn(g, o.released)
	p.syncEvent(g, rec)
}

func (p *Process) release(g *goroutine, rec *ring.Record) {
	p.syncEvent(g, rec)
	o := p.object(rec.Addr)
	if rec.Kind == ring.KindRelease {
		o.released = g.know
	} else {
		o.released = p.know.union(o.released, g.know)
	}
}

func (p *Process) acquireRelease(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	p.learn(g, o.released)
	p.syncEvent(g, rec)
	o.released = g.know
}

func (p *Process) mark(g *goroutine, rec *ring.Record) { p.syncEvent(g, rec) }

func (p *Process) atomicLoad(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	p.learn(g, o.stored)
	p.atomicEvent(g, rec, "load")
	o.loaded = p.know.union(o.loaded, g.know)
}

// atomicStore reads a store or a read-modify-write. Conflicting accesses keep the
// order that they had in the run: a store comes after the loads that did not see it.
func (p *Process) atomicStore(g *goroutine, rec *ring.Record, op string) {
	o := p.object(rec.Addr)
	p.learn(g, o.stored)
	p.learn(g, o.loaded)
	p.atomicEvent(g, rec, op)
	o.stored, o.loaded = g.know, nil
}

// atomicEvent is operation for atomics. Those with which the standard library builds its
// own things (contexts, sync.Once, sync.Map) only move knowledge.
func (p *Process) atomicEvent(g *goroutine, rec *ring.Record, op string) {
	if p.opt.Full && p.lookUp(rec.PC).library {
		p.settle(g)
		return
	}
	p.operation(g, rec, op, classAtomic, rec.Addr)
}

// channel is what a channel's operations hand on.
type channel struct {
	closed *set
	slots  []*set          // the buffer, as far as it is in use
	far    map[uint64]*set // slots that a scribbled record names, far behind the others
}

func (c *channel) slot(i uint64) *set {
	if i < uint64(len(c.slots)) {
		return c.slots[i]
	}
	return c.far[i]
}

func (c *channel) setSlot(i uint64, s *set) {
	switch {
	case i < uint64(len(c.slots)):
		c.slots[i] = s
	case i == uint64(len(c.slots)): // buffers fill from the front
		c.slots = append(c.slots, s)
	default:
		if c.far == nil {
			c.far = map[uint64]*set{}
		}
		c.far[i] = s
	}
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
func (p *Process) makeChan(rec *ring.Record) {
	if o := p.objects[rec.Addr]; o != nil {
		*o = object{}
	}
}

// transfer reads a buffered send or receive.
func (p *Process) transfer(g *goroutine, rec *ring.Record, op string) {
	c := p.channel(rec.Addr)
	p.learn(g, c.slot(rec.Aux))
	p.operation(g, rec, op, classChan, rec.Addr)
	c.setSlot(rec.Aux, g.know)
}

func (p *Process) closeChan(g *goroutine, rec *ring.Record) {
	p.operation(g, rec, "close", classChan, rec.Addr)
	p.channel(rec.Addr).closed = g.know
}

func (p *Process) recvClosed(g *goroutine, rec *ring.Record) {
	p.learn(g, p.channel(rec.Addr).closed)
	p.operation(g, rec, "recv", classChan, rec.Addr)
}

// handoff reads an unbuffered transfer. One side may be the runtime or the agent
// (context 0, sender is nil), of which nobody learns.
func (p *Process) handoff(sender *goroutine, rec *ring.Record) {
	receiver := p.goroutines.get(rec.Aux)
	switch {
	case receiver == nil && rec.Aux != 0:
		p.corrupt(rec, "to an unknown goroutine")
	case receiver == nil && sender == nil:
	case receiver == nil:
		p.operation(sender, rec, "send", classChan, rec.Addr)
	case sender == nil:
		p.operation(receiver, rec, "recv", classChan, rec.Addr)
	case receiver == sender:
		p.corrupt(rec, "to itself")
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
	p.goroutines.each(func(h *goroutine) { p.learn(g, h.know) })
	for _, know := range p.ended {
		p.learn(g, know)
	}
	p.ended = append(p.ended[:0], g.know)
}

// showsBoth reports whether both sides of a handoff become events. Where that is to end
// phases (see settle) it is one action too: were it two, one side could seem to have gone
// on while the other is still in its phase, which no order of the full trace has.
func (p *Process) showsBoth(sender, receiver *goroutine) bool {
	return sender.fresh && receiver.fresh || p.opt.Full && p.shows(sender) && p.shows(receiver)
}

// meet tells each of two goroutines what the other knows.
func (p *Process) meet(g, h *goroutine) {
	both := p.know.union(g.know, h.know)
	g.know, h.know = both, both
}
