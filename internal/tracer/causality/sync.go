package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// unlocks are the operations whose release the order without locks leaves out.
var unlocks = [ring.OpCount]bool{ring.OpUnlock: true, ring.OpRUnlock: true, ring.OpOnceUnlock: true}

// locking are the operations whose events begin or end a critical section, whatever the lock is.
var locking = [ring.OpCount]bool{
	ring.OpLock: true, ring.OpUnlock: true, ring.OpRLock: true, ring.OpRUnlock: true,
	ring.OpOnceLock: true, ring.OpOnceUnlock: true,
}

// learn adds s to what g knows.
func (p *Order) learn(g *goroutine, s *causalKnowledge, r relation) {
	if p.watch != nil {
		p.watch.before = g.know.ops
	}
	p.learnMore(g, s, r)
}

// learnMore is learn by the same record.
func (p *Order) learnMore(g *goroutine, s *causalKnowledge, r relation) {
	g.know.kept = p.know.union(g.know.kept, s.kept)
	if p.watch == nil {
		return
	}
	if r = p.asked(r); g.self == op.NoTask {
		g.know.ops.merge(&p.know.clocks, &s.ops, r)
	} else {
		g.know.ops.learn(&p.know.clocks, &s.ops, r)
	}
}

// asked is the relation with the same effect on all orders that are asked for, one that needs fewer clocks if possible.
func (p *Order) asked(r relation) relation {
	switch {
	case p.opt.Accesses:
		return r
	case r == decides:
		return synchronises
	case r == excludes || r == queues:
		return excludesOnly
	}
	return r
}

// learnShared is learn for what several have handed on; s is nil if nobody has.
func (p *Order) learnShared(g *goroutine, s *sharedKnowledge, r relation) {
	if p.watch != nil {
		p.watch.before = g.know.ops
	}
	if s != nil {
		p.learnSharedMore(g, s, r)
	}
}

// learnSharedMore is learnShared by the same record.
func (p *Order) learnSharedMore(g *goroutine, s *sharedKnowledge, r relation) {
	r = p.asked(r)
	s.settle(&p.know.clocks, r)
	s.knows(&p.know)
	p.learnMore(g, &s.causalKnowledge, r)
	if p.watch != nil && r == synchronises && g.self != op.NoTask && s.ops.task == op.NoTask {
		s.ops.learntBy(g)
	}
	for i := range s.others {
		if of := &s.others[i]; g.self == op.NoTask {
			g.know.ops.merge(&p.know.clocks, of, r)
		} else {
			g.know.ops.learn(&p.know.clocks, of, r)
		}
	}
}

// share adds what g knows to what others have handed on.
func (p *Order) share(s *sharedKnowledge, g *goroutine, r relation) {
	p.shareKnown(s, &g.know, r)
}

// shareKnown adds what somebody knew to what others have handed on.
func (p *Order) shareKnown(s *sharedKnowledge, know *causalKnowledge, r relation) {
	s.keep(&p.know, know.kept)
	if p.watch != nil {
		s.add(&p.know.clocks, &know.ops, p.asked(r))
	}
}

// try reads that g could not do at once what it tried to. It tells nobody, so it is no event: it comes somewhere before the
// next one of g.
func (p *Order) try(g *goroutine, rec *ring.Record) {
	switch rec.Op() {
	case ring.OpSend:
		p.learnSent(g, p.channel(rec.Addr))
	case ring.OpRecv:
		p.learnLast(g, rec.Addr)
	case ring.OpStop, ring.OpTimer:
		p.foundIdle(g, rec)
	case ring.OpAnnounce:
		p.announce(g, rec)
	case ring.OpLock, ring.OpRLock:
		if !p.tryLock(g, rec) {
			p.await(rec)
		}
	default:
		p.Corrupt(rec, "of an unknown operation")
	}
}

func (p *Order) acquire(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	if rec.Op() == ring.OpTimer && g.system {
		// A timer context runs one timer after the other, which have nothing to do with
		// each other.
		g.know = causalKnowledge{}
		p.learnShared(g, o.released, synchronises)
		if o.more != nil && o.more.timer != nil {
			o.more.timer.idle = o.more.timer.armed
		}
		g.firing = p.timers[rec.Addr]
		delete(p.timers, rec.Addr)
		return
	}
	p.learnShared(g, o.released, unlocking(o.lock))
	section := p.opt.Sections && p.beginsSection(g, rec)
	if p.opt.Sections {
		p.learnSections(g, o, rec, section)
	}
	if rec.Op() == ring.OpWait {
		p.woken(g, o, rec)
	}
	p.syncOperation(g, rec, section)
	if does := rec.Op(); does == ring.OpLock || does == ring.OpRLock {
		p.enter(g, o, rec, section)
	}
}

// learnSections has g know of the sections that ended before what it acquires, unless a section of the program begins. A writer of a
// RWMutex acquires what the writers before him released first, with no operation; the lock that follows says whose section it is.
func (p *Order) learnSections(g *goroutine, o *object, rec *ring.Record, begins bool) {
	writers, sections := g.writers, known{}
	g.writers = known{}
	if o.more != nil {
		sections = o.more.sections
	}
	switch {
	case begins:
	case rec.Op() == ring.OpNone && o.lock:
		g.writers = sections
	default:
		g.know.kept = p.know.union(p.know.union(g.know.kept, sections), writers)
	}
}

func (p *Order) release(g *goroutine, rec *ring.Record) {
	if p.watch != nil {
		p.watch.before = g.know.ops
	}
	does := rec.Op()
	o, lock, section := p.object(rec.Addr), unlocks[does], false
	switch does {
	case ring.OpUnlock, ring.OpRUnlock:
		var begun bool
		if section, begun = p.leave(g, o, rec); !begun {
			if !p.postponed.inVain {
				p.await(rec)
				return
			}
			p.lockOf(o, rec).isKnown = false // until somebody says that he has it
		}
		section = section && p.shows(g)
	case ring.OpDone:
		p.countDown(g, o, max(1, -rec.Delta()))
	}
	p.syncOperation(g, rec, section)
	switch does {
	case ring.OpTimer:
		p.arm(g, rec)
	case ring.OpSignal, ring.OpBroadcast:
		p.signal(g, rec)
	}
	released, kept := used(&o.released), known{}
	if section {
		kept = released.knows(&p.know)
	}
	switch {
	case rec.Kind == ring.KindRelease:
		released.set(&g.know)
	case lock == o.lock:
		p.share(released, g, unlocking(lock))
	default: // the memory is not used for what it was
		released.forgetOperations()
		p.share(released, g, unlocking(lock))
	}
	o.lock = lock
	if section {
		released.kept, released.events = kept, nil
		sections := &o.uncommon().sections
		*sections = p.know.union(*sections, g.know.kept)
	}
}

// beginsSection reports whether g begins a critical section of the program, which orders nothing if Options.Sections says
// so. What ends it does not matter: the library may do that for the program, as with t.Cleanup(mu.Unlock).
func (p *Order) beginsSection(g *goroutine, rec *ring.Record) bool {
	does := rec.Op()
	return (does == ring.OpLock || does == ring.OpRLock) && !p.isLibrary(rec.PC) && p.shows(g)
}

func (p *Order) acquireRelease(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	p.learnShared(g, o.released, unlocking(o.lock))
	p.syncOperation(g, rec, false)
	used(&o.released).set(&g.know)
	o.lock = false
}

func (p *Order) mark(g *goroutine, rec *ring.Record) {
	if does := rec.Op(); (does == ring.OpSignal || does == ring.OpBroadcast) && rec.Delta() == ring.OpVain>>ring.OpShift {
		if p.watch != nil { // not for the trace
			p.tellSync(g, rec)
		}
		return
	}
	switch rec.Op() {
	case ring.OpStop, ring.OpTimer:
		p.foundPending(g, rec)
		return
	case ring.OpAdd:
		defer p.countUp(g, p.object(rec.Addr), max(1, rec.Delta()))
	}
	p.syncOperation(g, rec, false)
}

func (p *Order) atomicLoad(g *goroutine, rec *ring.Record) {
	v := p.object(rec.Addr).variable()
	p.learn(g, &v.stored, synchronises)
	p.atomicOperation(g, rec, "load")
	p.share(used(&v.loaded), g, synchronises)
}

// atomicStore reads a store or a read-modify-write. Conflicting accesses keep the
// order that they had in the run: a store comes after the loads that did not see it.
func (p *Order) atomicStore(g *goroutine, rec *ring.Record, does string) {
	v := p.object(rec.Addr).variable()
	p.learn(g, &v.stored, synchronises)
	if v.loaded != nil {
		p.learnShared(g, v.loaded, synchronises)
	}
	p.atomicOperation(g, rec, does)
	v.stored = g.know
	if v.loaded != nil {
		v.loaded.set(&causalKnowledge{})
	}
}

// atomicOperation is operation for atomics. Those with which the standard library builds its
// own things (contexts, sync.Once, sync.Map) are no events, they only move knowledge.
func (p *Order) atomicOperation(g *goroutine, rec *ring.Record, does string) {
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
func (p *Order) syncOperation(g *goroutine, rec *ring.Record, section bool) {
	if p.watch != nil {
		p.tellSync(g, rec)
	}
	p.syncEvent(g, rec, section)
}

// misuse reads that g has failed, and comes after what it failed for.
func (p *Order) misuse(g *goroutine, rec *ring.Record) {
	switch rec.Arg {
	case ring.MisuseCloseClosed:
		p.learn(g, &p.channel(rec.Addr).closed, decides)
	case ring.MisuseCounter:
		p.learnShared(g, p.object(rec.Addr).released, decides)
	}
	if p.watch != nil {
		p.tellMisuse(g, rec)
	}
}

// finalizers reads that a goroutine begins to run finalizers or cleanups. What made
// their objects unreachable came before, and as only the garbage collector knows
// what that was, it is taken to be all that happened. Where no finalizer can run code
// of the program, those of the library need not know, unless accesses to memory are told.
func (p *Order) finalizers(g *goroutine) {
	if !p.hasFinalizers() {
		return
	}
	if p.opt.Accesses {
		p.present(g)
	}
	p.goroutines.each(func(h *goroutine) {
		if p.opt.Env {
			p.settle(h) // it hands on what it knows
		}
		if h == g {
			return
		}
		know := p.knowsBetween(h)
		if !p.opt.Env {
			know.kept = g.know.kept // no event is a finalizer's
		}
		p.learn(g, &know, synchronises)
	})
	for _, kept := range p.ended {
		g.know.kept = p.know.union(g.know.kept, kept)
	}
	p.ended = append(p.ended[:0], g.know.kept)
	if p.watch != nil {
		p.learn(g, &p.watch.ended, synchronises)
		p.step(g)
		p.finalizes(g)
	}
}

// hasFinalizers reports whether it matters what finalizers and cleanups come after.
func (p *Order) hasFinalizers() bool { return p.opt.Env || p.watch != nil && p.opt.Accesses }
