package causality

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// unlocks are the operations whose release does not count in the order without locks.
var unlocks = [ring.OpCount]bool{ring.OpUnlock: true, ring.OpRUnlock: true, ring.OpOnceUnlock: true}

// locking are the operations whose events begin or end a critical section, for every kind of lock.
var locking = [ring.OpCount]bool{
	ring.OpLock: true, ring.OpUnlock: true, ring.OpRLock: true, ring.OpRUnlock: true,
	ring.OpOnceLock: true, ring.OpOnceUnlock: true,
}

// learn adds s to g's knowledge.
func (p *Order) learn(g *goroutine, s *causalKnowledge, r relation) {
	if p.watch != nil {
		p.watch.beforeLearning = g.know.ops
	}
	p.learnMore(g, s, r)
}

// learnMore is learn for a further source in the same record.
func (p *Order) learnMore(g *goroutine, s *causalKnowledge, r relation) {
	g.know.kept = p.know.union(g.know.kept, s.kept)
	if p.watch == nil {
		return
	}
	p.learnOperations(g, &s.ops, p.reduceRelation(r))
}

// learnOperations adds ops to g's knowledge of operations.
func (p *Order) learnOperations(g *goroutine, ops *operationClocks, r relation) {
	if g.self == op.NoTask {
		g.know.ops.merge(&p.know.clocks, ops, r)
	} else {
		g.know.ops.learn(&p.know.clocks, ops, r)
	}
}

// reduceRelation returns a relation with the same effect on all orders in use, if possible one with
// fewer clocks.
func (p *Order) reduceRelation(r relation) relation {
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

// learnShared is learn for the knowledge of several tasks; s is nil if there is none.
func (p *Order) learnShared(g *goroutine, s *sharedKnowledge, r relation) {
	if p.watch != nil {
		p.watch.beforeLearning = g.know.ops
	}
	if s != nil {
		p.learnSharedMore(g, s, r)
	}
}

// learnSharedMore is learnShared for a further source in the same record.
func (p *Order) learnSharedMore(g *goroutine, s *sharedKnowledge, r relation) {
	r = p.reduceRelation(r)
	s.settle(&p.know.clocks, r)
	s.handedOn(&p.know)
	p.learnMore(g, &s.causalKnowledge, r)
	if p.watch != nil && r == synchronises && g.self != op.NoTask && s.ops.task == op.NoTask {
		s.ops.learntBy(g)
	}
	for i := range s.others {
		p.learnOperations(g, &s.others[i], r)
	}
}

// handOn adds g's knowledge to that which others have handed on.
func (p *Order) handOn(s *sharedKnowledge, g *goroutine, r relation) {
	p.handOnKnown(s, &g.know, r)
}

// handOnKnown adds know to the knowledge that others have handed on.
func (p *Order) handOnKnown(s *sharedKnowledge, know *causalKnowledge, r relation) {
	s.addEvents(&p.know, know.kept)
	if p.watch != nil {
		s.add(&p.know.clocks, &know.ops, p.reduceRelation(r))
	}
}

// readTry reads that an attempt of g failed. Other goroutines do not learn of it, so it is no
// event: it comes somewhere before the next one of g.
func (p *Order) readTry(g *goroutine, rec *ring.Record) {
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
			p.postponeFrom(rec)
			return
		}
	default:
		p.Corrupt(rec, "of an unknown operation")
		return
	}
	p.noteOutcome(g, rec)
}

func (p *Order) acquire(g *goroutine, rec *ring.Record) {
	if isStream(rec.Op()) {
		p.readStream(g, rec)
		return
	}
	o := p.object(rec.Addr)
	if rec.Op() == ring.OpTimer && g.system {
		// A timer context runs one timer after the other. They are independent.
		g.know = causalKnowledge{}
		p.learnShared(g, o.released, synchronises)
		if o.rare != nil && o.rare.timer != nil {
			o.rare.timer.idle = o.rare.timer.armed
		}
		g.firing = p.timers[rec.Addr]
		delete(p.timers, rec.Addr)
		return
	}
	p.learnShared(g, o.released, releaseRelation(o.lock))
	if does := rec.Op(); does == ring.OpLock || does == ring.OpRLock {
		p.learnOutcomesOfLock(g, o, rec, false)
	}
	section := p.opt.Sections && p.beginsSection(g, rec)
	if p.opt.Sections {
		p.learnSections(g, o, rec, section)
	}
	if rec.Op() == ring.OpWait {
		p.readWoken(g, o, rec)
		p.noteOutcome(g, rec)
	}
	p.syncOperation(g, rec, section)
	if does := rec.Op(); does == ring.OpLock || does == ring.OpRLock {
		p.enter(g, o, rec, section)
	}
}

// learnSections orders the sections that ended before an acquisition before it, unless it begins a
// section of the program. A writer of a RWMutex acquires what earlier writers released first, with
// no operation; the lock that follows shows its owner.
func (p *Order) learnSections(g *goroutine, o *object, rec *ring.Record, begins bool) {
	writers, sections := g.writers, known{}
	g.writers = known{}
	if o.rare != nil {
		sections = o.rare.sections
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
	if isStream(rec.Op()) {
		p.writeStream(g, rec)
		return
	}
	if p.watch != nil {
		p.watch.beforeLearning = g.know.ops
	}
	does := rec.Op()
	o, lock, section := p.object(rec.Addr), unlocks[does], false
	switch does {
	case ring.OpUnlock, ring.OpRUnlock:
		var begun bool
		if section, begun = p.leave(g, o, rec); !begun {
			if !p.postponed.inVain {
				p.postponeFrom(rec)
				return
			}
			p.lockOf(o, rec).isKnown = false // until the next owner records it
		}
		section = section && p.isVisible(g)
		p.learnOutcomesOfLock(g, o, rec, true)
	case ring.OpDone:
		p.countDown(g, o, max(1, -rec.Delta()))
	}
	p.syncOperation(g, rec, section)
	switch does {
	case ring.OpTimer:
		p.readArm(g, rec)
	case ring.OpSignal, ring.OpBroadcast:
		p.readSignal(g, rec)
	}
	released, kept := ensure(&o.released), known{}
	if section {
		kept = released.handedOn(&p.know)
	}
	switch {
	case rec.Kind == ring.KindRelease:
		released.set(&g.know)
	case lock == o.lock:
		p.handOn(released, g, releaseRelation(lock))
	default: // the memory is used for something else
		released.forgetOperations()
		p.handOn(released, g, releaseRelation(lock))
	}
	o.lock = lock
	if section {
		released.kept, released.events = kept, nil
		sections := &o.ensureRare().sections
		*sections = p.know.union(*sections, g.know.kept)
	}
}

// beginsSection reports whether g begins a critical section of the program, which Options.Sections
// leaves unordered. How it ends does not matter: the library may end it for the program, as with
// t.Cleanup(mu.Unlock).
func (p *Order) beginsSection(g *goroutine, rec *ring.Record) bool {
	does := rec.Op()
	return (does == ring.OpLock || does == ring.OpRLock) && !p.isLibrary(rec.PC) && p.isVisible(g)
}

func (p *Order) acquireRelease(g *goroutine, rec *ring.Record) {
	o := p.object(rec.Addr)
	p.learnShared(g, o.released, releaseRelation(o.lock))
	p.syncOperation(g, rec, false)
	ensure(&o.released).set(&g.know)
	o.lock = false
}

func (p *Order) mark(g *goroutine, rec *ring.Record) {
	if does := rec.Op(); (does == ring.OpSignal || does == ring.OpBroadcast) &&
		rec.Delta() == ring.OpVain>>ring.OpShift {
		if p.watch != nil { // the trace does not have it
			p.reportSync(g, rec)
		}
		return
	}
	switch rec.Op() {
	case ring.OpStop, ring.OpTimer:
		p.foundPending(g, rec)
	case ring.OpAdd:
		o := p.object(rec.Addr)
		p.learnOutcomes(g, o)
		p.syncOperation(g, rec, false)
		p.countUp(g, o, max(1, rec.Delta()))
	default:
		p.syncOperation(g, rec, false)
	}
}

func (p *Order) atomicLoad(g *goroutine, rec *ring.Record) {
	v := p.object(rec.Addr).variable()
	p.learn(g, &v.stored, synchronises)
	p.atomicOperation(g, rec, "load")
	p.handOn(ensure(&v.loaded), g, synchronises)
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

// atomicOperation is operation for atomics. Those inside the standard library (contexts, sync.Once,
// sync.Map) are no events and only move knowledge.
func (p *Order) atomicOperation(g *goroutine, rec *ring.Record, does string) {
	if p.watch != nil {
		g.stages.used = true
		p.reportAtomic(g, rec)
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
		p.reportSync(g, rec)
	}
	p.syncEvent(g, rec, section)
}

// misuse reads that g has failed. The failure comes after its cause.
func (p *Order) misuse(g *goroutine, rec *ring.Record) {
	switch rec.Arg {
	case ring.MisuseCloseClosed:
		p.learn(g, &p.channel(rec.Addr).closed, decides)
	case ring.MisuseCounter:
		p.learnShared(g, p.object(rec.Addr).released, decides)
	}
	if p.watch != nil {
		p.reportMisuse(g, rec)
	}
}

// finalizers reads that a goroutine begins to run finalizers or cleanups. They come after the
// operations that made their objects unreachable. Only the garbage collector knows these, so it is
// taken to be all operations so far. Where no finalizer can run code of the program, those of the
// library need no order, unless accesses to memory are reported.
func (p *Order) finalizers(g *goroutine) {
	if !p.hasFinalizers() {
		return
	}
	if p.opt.Accesses && p.watch != nil {
		p.present(g)
	}
	p.goroutines.each(func(h *goroutine) {
		if p.opt.Env {
			p.settle(h) // h hands on its knowledge
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
		p.numberOperation(g)
		p.finalizes(g)
	}
}

// hasFinalizers reports whether the order of finalizers and cleanups matters.
func (p *Order) hasFinalizers() bool { return p.opt.Env || p.watch != nil && p.opt.Accesses }
