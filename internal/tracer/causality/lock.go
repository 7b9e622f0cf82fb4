package causality

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// lock tracks the sections of a Mutex or RWMutex, which decide whether an attempt to lock it
// succeeds.
//
// A failed attempt comes after the beginning of a section that was not over. It does not come
// before the end of that section, since another goroutine that sees the lock free does not undo the
// failure. Likewise, an unlock by another goroutine comes after the beginning of the section that
// it ends.
type lock struct {
	writing section  // if free, the section that ended last
	wrote   uint64   // record of the end of the last writer's section
	isKnown bool     // it has been locked since tracing began
	readers *readers // nil: there were none so far
}

// readers are the readers of an RWMutex, and a writer that waits for them.
type readers struct {
	reading []section       // in the order in which they began
	read    causalKnowledge // knowledge at the beginning of the section that ended last
	left    uint64          // record of its end
	waiting section         // a writer that waits until they have left
}

// ensureReaders returns the readers of a lock, which it makes if there are none.
func (l *lock) ensureReaders() *readers { return ensure(&l.readers) }

// section is a section with the knowledge at its beginning.
type section struct {
	g     *goroutine // nil if it is free
	begin causalKnowledge
	// its beginning is an event, since Options.Sections requires it; so its end will be, too
	kept bool
}

// lockOf returns the lock of a record at o.
func (p *Order) lockOf(o *object, rec *ring.Record) *lock {
	if rec.Aux != rec.Addr && rec.Aux != 0 {
		o = p.object(rec.Aux)
	}
	return ensure(&o.held)
}

// enterSection notes that g enters the section. Nearly every record of a lock comes here, so it
// copies only what is needed.
func (p *Order) enterSection(s *section, g *goroutine, kept bool) {
	s.g, s.begin.kept, s.kept = g, g.know.kept, kept
	if p.watch != nil {
		s.begin.ops = g.know.ops
	}
}

// enter notes that a section of a lock begins. The end of a section is recorded before it takes
// effect, so the sections that this one excludes are over. If one seems not to be, a new lock has
// overwritten this one.
func (p *Order) enter(g *goroutine, o *object, rec *ring.Record, kept bool) {
	l := p.lockOf(o, rec)
	l.isKnown = true
	g.held.enter(rec)
	if rec.Op() == ring.OpRLock {
		l.writing.g = nil
		r := l.ensureReaders()
		last := len(r.reading)
		r.reading = slices.Grow(r.reading, 1)[:last+1]
		p.enterSection(&r.reading[last], g, kept)
		return
	}
	p.enterSection(&l.writing, g, kept)
	if r := l.readers; r != nil {
		r.reading, r.waiting.g = r.reading[:0], nil
	}
}

// announce notes that g, a writer, waits until readers have left. This is no operation with a
// number of its own, so g's knowledge goes into the clocks: see the invariant of operationClocks.
func (p *Order) announce(g *goroutine, rec *ring.Record) {
	p.settle(g) // failed attempts to read come after it
	p.lockOf(p.object(rec.Addr), rec).ensureReaders().waiting = section{g: g, begin: p.knowsBetween(g)}
}

// leave notes that g is about to end a section of a lock, and returns whether its beginning was
// kept. If another goroutine has begun it, the beginning comes before. begun is false if the lock
// is known and in no section.
func (p *Order) leave(g *goroutine, o *object, rec *ring.Record) (kept, begun bool) {
	l := p.lockOf(o, rec)
	if rec.Op() == ring.OpRUnlock {
		r := l.ensureReaders()
		r.left = rec.Index
		kept, begun = p.leaveReading(g, r, rec)
		return kept, begun || !l.isKnown
	}
	l.wrote = rec.Index
	by := l.writing.g
	switch by {
	case nil:
	case g:
		g.held.leave(rec)
	default:
		p.learnMore(g, &l.writing.begin, decides)
	}
	l.writing.g = nil
	return by != nil && l.writing.kept, by != nil || !l.isKnown
}

// leaveReading ends the last section that g has begun as a reader, or else the first one.
func (p *Order) leaveReading(g *goroutine, r *readers, rec *ring.Record) (kept, begun bool) {
	last := len(r.reading) - 1
	if last < 0 {
		return false, false
	}
	i := last
	for i > 0 && r.reading[i].g != g {
		i--
	}
	ended := &r.reading[i]
	kept = ended.kept
	if ended.g == g {
		g.held.leave(rec)
	} else {
		p.learnMore(g, &ended.begin, decides)
	}
	r.read.kept = ended.begin.kept
	if p.watch != nil {
		r.read.ops = ended.begin.ops
	}
	if i < last {
		copy(r.reading[i:], r.reading[i+1:])
	}
	r.reading[last].g = nil
	r.reading = r.reading[:last]
	return kept, true
}

// tryLock reads that g could not lock at once. It reports false if the goroutine in the way has not
// recorded its lock yet.
func (p *Order) tryLock(g *goroutine, rec *ring.Record) bool {
	l, since := p.lockOf(p.object(rec.Addr), rec), uint64(rec.Delta())
	r := l.readers
	switch {
	case l.writing.g != nil:
		p.learnMore(g, &l.writing.begin, decides)
	case r != nil && r.waiting.g != nil:
		p.learnMore(g, &r.waiting.begin, decides)
		p.learnMore(g, r.firstBegan(), decides)
	case rec.Op() == ring.OpRLock || r == nil || l.wrote > r.left && len(r.reading) == 0:
		return p.tryEnded(g, &l.writing.begin, l.wrote, since)
	case len(r.reading) == 0:
		return p.tryEnded(g, &r.read, r.left, since)
	default:
		p.learnMore(g, r.firstBegan(), decides)
	}
	return true
}

// firstBegan returns the knowledge at the beginning of the first reader's section, or of the last
// one if none is left.
func (r *readers) firstBegan() *causalKnowledge {
	if len(r.reading) > 0 {
		return &r.reading[0].begin
	}
	return &r.read
}

// tryEnded orders the failed attempt of g after the beginning of a section whose end has been
// recorded. The end is recorded before it takes effect. If it was recorded before the attempt, and
// g knew of the section, another section was in the way.
func (p *Order) tryEnded(g *goroutine, begin *causalKnowledge, end, since uint64) bool {
	if end < since && p.knowsAll(g, begin) {
		return false
	}
	p.learnMore(g, begin, decides)
	return true
}

// knowsAll reports whether g knows all events and operations of know.
func (p *Order) knowsAll(g *goroutine, know *causalKnowledge) bool {
	return p.know.union(g.know.kept, know.kept) == g.know.kept &&
		(p.watch == nil || know.ops == (operationClocks{}) || know.ops.task == g.self ||
			g.know.ops.knows(&know.ops, decides))
}
