package process

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/ring"
)

// lock is who is in sections of a Mutex or RWMutex, which decides whether somebody can lock it at once.
//
// Who cannot comes after the beginning of a section that was not over. It does not come before its end: that others see the lock
// free does not take back what has been seen. Likewise, an unlock by another goroutine comes after the beginning of
// the section that it ends.
type lock struct {
	writing section   // if nobody is in it, the one that ended last
	reading []section // in the order in which they began
	waiting section   // a writer that waits until readers have left
	isKnown bool      // somebody has locked it since it is traced

	read        causalKnowledge // when the section of a reader began that ended last
	wrote, left uint64          // records of the last ends of sections of writers and of readers
}

// section is who is in a section, and what was known when it began.
type section struct {
	g     *goroutine // nil if nobody is in it
	begin causalKnowledge
}

// lockOf is the lock that a record of something at o is about.
func (p *Process) lockOf(o *object, rec *ring.Record) *lock {
	if rec.Aux != rec.Addr && rec.Aux != 0 {
		o = p.object(rec.Aux)
	}
	if o.held == nil {
		o.held = new(lock)
	}
	return o.held
}

// begins notes that g enters the section. Nearly every record of a lock leads here, so nothing is copied that nobody asks for.
func (p *Process) begins(s *section, g *goroutine) {
	s.g, s.begin.kept = g, g.know.kept
	if p.watch != nil {
		s.begin.ops = g.know.ops
	}
}

// enter notes that a section of a lock begins. Ends of sections are recorded before they come about, so those that this
// one excludes are over: if they seem not to be, the lock has been overwritten by a new one meanwhile.
func (p *Process) enter(g *goroutine, o *object, rec *ring.Record) {
	l := p.lockOf(o, rec)
	l.isKnown = true
	if rec.Op() == ring.OpRLock {
		l.writing.g = nil
		last := len(l.reading)
		l.reading = slices.Grow(l.reading, 1)[:last+1]
		p.begins(&l.reading[last], g)
		return
	}
	p.begins(&l.writing, g)
	l.reading, l.waiting.g = l.reading[:0], nil
}

// announce notes that g, a writer, waits until readers have left. This is no operation with a number of its own, so what g knows is
// put into the clocks: see the invariant of operationClocks.
func (p *Process) announce(g *goroutine, rec *ring.Record) {
	know := g.know
	if p.watch != nil {
		know.ops.fold()
	}
	p.lockOf(p.object(rec.Addr), rec).waiting = section{g, know}
}

// leave notes that g is about to end a section of a lock. If somebody else has begun it, that came before. It reports false if nobody
// has begun one, though the lock is known.
func (p *Process) leave(g *goroutine, o *object, rec *ring.Record) bool {
	l := p.lockOf(o, rec)
	if rec.Op() == ring.OpRUnlock {
		l.left = rec.Index
		return p.leaveReading(g, l) || !l.isKnown
	}
	l.wrote = rec.Index
	begun := l.writing.g
	if begun != nil && begun != g {
		p.learnMore(g, &l.writing.begin, decides)
	}
	l.writing.g = nil
	return begun != nil || !l.isKnown
}

// leaveReading ends the section that g has begun as a reader last, or else the first one.
func (p *Process) leaveReading(g *goroutine, l *lock) bool {
	last := len(l.reading) - 1
	if last < 0 {
		return false
	}
	i := last
	for i > 0 && l.reading[i].g != g {
		i--
	}
	ended := &l.reading[i]
	if ended.g != g {
		p.learnMore(g, &ended.begin, decides)
	}
	l.read.kept = ended.begin.kept
	if p.watch != nil {
		l.read.ops = ended.begin.ops
	}
	if i < last {
		copy(l.reading[i:], l.reading[i+1:])
	}
	l.reading[last].g = nil
	l.reading = l.reading[:last]
	return true
}

// tryLock reads that g could not lock at once. It reports false if who was in the way has not said so yet: that one has the
// lock, and its record is to come.
func (p *Process) tryLock(g *goroutine, rec *ring.Record) bool {
	l, since := p.lockOf(p.object(rec.Addr), rec), uint64(rec.Delta())
	switch {
	case l.writing.g != nil:
		p.learnMore(g, &l.writing.begin, decides)
	case l.waiting.g != nil:
		p.learnMore(g, &l.waiting.begin, decides)
		p.learnMore(g, l.awaited(), decides)
	case rec.Op() == ring.OpRLock || l.wrote > l.left && len(l.reading) == 0:
		return p.tryEnded(g, &l.writing.begin, l.wrote, since)
	default:
		return p.tryReaders(g, l, since)
	}
	return true
}

// awaited is when a section began that a writer waits for, or has waited for.
func (l *lock) awaited() *causalKnowledge {
	if len(l.reading) > 0 {
		return &l.reading[0].begin
	}
	return &l.read
}

// tryReaders reads that readers were in the way of g.
func (p *Process) tryReaders(g *goroutine, l *lock, since uint64) bool {
	if len(l.reading) == 0 {
		return p.tryEnded(g, &l.read, l.left, since)
	}
	p.learnMore(g, &l.reading[0].begin, decides)
	return true
}

// tryEnded reads that a section was in the way of g of which the end has been recorded, which is before it comes about. If that was
// before g tried, and g knew of the section, it was another one.
func (p *Process) tryEnded(g *goroutine, begin *causalKnowledge, end, since uint64) bool {
	if end < since && p.knowsAll(g, begin, decides) {
		return false
	}
	p.learnMore(g, begin, decides)
	return true
}

// knowsAll reports whether g has heard of all that somebody knew, in the orders that have the relation.
func (p *Process) knowsAll(g *goroutine, know *causalKnowledge, r relation) bool {
	return p.know.union(g.know.kept, know.kept) == g.know.kept &&
		(p.watch == nil || know.ops == (operationClocks{}) || know.ops.task == g.self || g.know.ops.knows(&know.ops, r))
}
