package causality

import (
	"maps"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// A stream hands out a byte only after all bytes before it. So a read comes after the writes of
// the bytes that it has read, and of earlier ones. It comes after no other write, even if that has
// begun by then: its bytes may be on their way. Writes are not ordered by what they write.
//
//	writes at   0     10    20       each knows what its goroutine knew when it began
//	reads up to          15          learns from the writes at 0 and 10
//
// A write is at a position or nearer to the end of the stream than that, and a read is up to a
// position or nearer to the beginning. So what is not exact adds order, and loses none.

// connections are the connections with one key.
type connections struct {
	known map[uint64]*connection // by identity
	// what was written to the streams of connections of unknown identity; nil: nothing
	unknown [2]*sharedKnowledge
	gone    sharedKnowledge // what was written in connections that are no longer in known
}

// connection has a stream in each direction. A connection with itself has one.
type connection struct {
	streams [2]stream
}

// stream is the knowledge of those that have written to a stream.
type stream struct {
	unread   []write
	read     sharedKnowledge // of writes that were read, at least in part
	ended    sharedKnowledge // before the ends of the stream
	isRead   bool
	isClosed bool // the end that writes it
}

// write is a write to a stream, from which no byte of it was read yet.
type write struct {
	at   uint64
	know causalKnowledge
}

const (
	// maxUnread bounds the writes of a stream that are kept apart. If there are more, they are
	// joined in pairs.
	maxUnread = 256
	// maxNeverRead is maxUnread of a stream that was not read so far: another process may read it.
	maxNeverRead = 16
	// maxHalfClosed bounds the connections with one closed end that are kept: another process may
	// have the other end.
	maxHalfClosed = 1 << 12
)

// halfClosed is a connection with a closed end.
type halfClosed struct{ key, id uint64 }

// streamOf returns the stream and the position in a record.
func streamOf(rec *ring.Record) (which int, position uint64) {
	n := rec.Arg >> ring.OpShift
	return int(n & 1), n >> (ring.StreamShift - ring.OpShift)
}

// writeStream reads that g is about to write to a stream, or to end it.
func (p *Order) writeStream(g *goroutine, rec *ring.Record) {
	if p.watch != nil {
		p.watch.beforeLearning = g.know.ops
	}
	p.syncOperation(g, rec, false)
	which, position := streamOf(rec)
	cs := p.connectionsAt(rec.Addr)
	if rec.Aux == 0 {
		p.handOn(ensure(&cs.unknown[which]), g, synchronises)
		return
	}
	c := cs.known[rec.Aux]
	if c == nil {
		if cs.known == nil {
			cs.known = map[uint64]*connection{}
		}
		c = new(connection)
		cs.known[rec.Aux] = c
	}
	s := &c.streams[which]
	if rec.Op() == ring.OpStream {
		s.unread = append(s.unread, write{position, g.know})
		if len(s.unread) > s.limit() {
			p.joinWrites(s)
		}
		return
	}
	p.handOn(&s.ended, g, synchronises)
	if position != 0 {
		p.closeEnd(cs, halfClosed{rec.Addr, rec.Aux}, which)
	}
}

// connectionsAt returns the connections with a key.
func (p *Order) connectionsAt(key uint64) *connections {
	return ensure(&p.object(key).ensureRare().connections)
}

// readStream reads that g has read from a stream, or found its end.
func (p *Order) readStream(g *goroutine, rec *ring.Record) {
	if p.watch != nil {
		p.watch.beforeLearning = g.know.ops
	}
	if o := p.objects.find(rec.Addr); o != nil && o.rare != nil && o.rare.connections != nil {
		p.learnStream(g, o.rare.connections, rec)
	}
	p.syncOperation(g, rec, false)
}

func (p *Order) learnStream(g *goroutine, cs *connections, rec *ring.Record) {
	which, position := streamOf(rec)
	if unknown := cs.unknown[which]; unknown != nil {
		p.learnSharedMore(g, unknown, synchronises)
	}
	c := cs.known[rec.Aux]
	if c != nil {
		s := &c.streams[which]
		s.isRead = true
		p.learnWrites(g, s, position, rec.Op() == ring.OpStreamEnd || position >= ring.StreamAll)
		return
	}
	p.learnSharedMore(g, &cs.gone, synchronises) // it was closed while g was reading
	if rec.Aux == 0 {                            // all of them may be meant
		for _, id := range slices.Sorted(maps.Keys(cs.known)) {
			p.learnWrites(g, &cs.known[id].streams[which], ring.StreamAll, true)
		}
	}
}

// isStream reports whether an operation moves bytes.
func isStream(does ring.Op) bool { return does == ring.OpStream || does == ring.OpStreamEnd }

// learnWrites adds to g's knowledge that of the writes before a position of s, and before its end.
func (p *Order) learnWrites(g *goroutine, s *stream, before uint64, end bool) {
	s.unread = slices.DeleteFunc(s.unread, func(w write) bool {
		if w.at >= before {
			return false
		}
		p.handOnEarlier(&s.read, &w.know)
		return true
	})
	p.learnSharedMore(g, &s.read, synchronises)
	if end {
		p.learnSharedMore(g, &s.ended, synchronises)
	}
}

// limit is how many writes are kept apart.
func (s *stream) limit() int {
	if s.isRead {
		return maxUnread
	}
	return maxNeverRead
}

// joinWrites makes one of each two writes that follow each other. A read of either comes after
// both.
func (p *Order) joinWrites(s *stream) {
	joined := s.unread[:0]
	for pair := range slices.Chunk(s.unread, 2) {
		w := pair[0]
		for i := range pair[1:] {
			other := &pair[1+i]
			w.at = min(w.at, other.at)
			w.know.kept = p.know.union(w.know.kept, other.know.kept)
			if p.watch != nil {
				w.know.ops.merge(&p.know.clocks, &other.know.ops, p.reduceRelation(synchronises))
			}
		}
		joined = append(joined, w)
	}
	clear(s.unread[len(joined):])
	s.unread = joined
}

// closeEnd notes that the end of a connection which writes a stream is closed. When both are,
// nothing is written or read any more.
func (p *Order) closeEnd(cs *connections, h halfClosed, which int) {
	c := cs.known[h.id]
	c.streams[which].isClosed = true
	if c.streams[1-which].isClosed {
		p.forgetConnection(cs, h.id, [2]*sharedKnowledge{&cs.gone, &cs.gone})
		return
	}
	p.halfClosed = append(p.halfClosed, h)
	if len(p.halfClosed) <= maxHalfClosed {
		return
	}
	// The other end may still read what was written, if it is in this process at all.
	oldest := p.halfClosed[0]
	p.halfClosed = p.halfClosed[1:]
	if o := p.objects.find(oldest.key); o != nil && o.rare != nil && o.rare.connections != nil {
		if cs := o.rare.connections; cs.known[oldest.id] != nil {
			unknown := &cs.unknown
			p.forgetConnection(cs, oldest.id, [2]*sharedKnowledge{ensure(&unknown[0]), ensure(&unknown[1])})
		}
	}
}

// forgetConnection forgets a connection, but for what was written to its streams, which it adds to
// what was written in others.
func (p *Order) forgetConnection(cs *connections, id uint64, to [2]*sharedKnowledge) {
	c := cs.known[id]
	if delete(cs.known, id); len(cs.known) == 0 {
		cs.known = nil
	}
	for which := range c.streams {
		s := &c.streams[which]
		for i := range s.unread {
			p.handOnEarlier(to[which], &s.unread[i].know)
		}
		p.handOnShared(to[which], &s.read)
		p.handOnShared(to[which], &s.ended)
	}
}

// handOnShared adds to what was handed on at one place that which was at another one.
func (p *Order) handOnShared(to, from *sharedKnowledge) {
	from.handedOn(&p.know)
	p.handOnEarlier(to, &from.causalKnowledge)
	for i := range from.others {
		p.handOnEarlier(to, &causalKnowledge{ops: from.others[i]})
	}
}

// handOnEarlier adds what a task knew to the knowledge that others have handed on. The task may
// have added to that since.
func (p *Order) handOnEarlier(s *sharedKnowledge, know *causalKnowledge) {
	s.addEvents(&p.know, know.kept)
	if p.watch != nil && !s.hasLater(&know.ops) {
		s.add(&p.know.clocks, &know.ops, p.reduceRelation(synchronises))
	}
}

// hasLater reports whether ops knows nothing, or its task has handed on the same or more.
func (s *sharedKnowledge) hasLater(ops *operationClocks) bool {
	if ops.task == op.NoTask {
		return false
	}
	if *ops == (operationClocks{}) || s.ops.task == ops.task && s.ops.k >= ops.k {
		return true
	}
	i := s.find(ops.task)
	return i >= 0 && s.others[i].k >= ops.k
}

func (cs *connections) each(see func(*operationClocks)) {
	if cs == nil {
		return
	}
	for _, unknown := range cs.unknown {
		unknown.each(see)
	}
	cs.gone.each(see)
	for _, c := range cs.known {
		for which := range c.streams {
			s := &c.streams[which]
			for i := range s.unread {
				see(&s.unread[i].know.ops)
			}
			s.read.each(see)
			s.ended.each(see)
		}
	}
}

// shared calls f for all knowledge of several tasks.
func (cs *connections) shared(f func(*sharedKnowledge)) {
	for _, unknown := range cs.unknown {
		f(unknown)
	}
	f(&cs.gone)
	for _, c := range cs.known {
		for which := range c.streams {
			f(&c.streams[which].read)
			f(&c.streams[which].ended)
		}
	}
}
