package process

import (
	"bytes"

	"github.com/antichain-go/antichain/tracer/ring"
)

// postponed are records behind one that says that somebody could not lock something, before who has locked it has said so: a lock is
// recorded when it is held. Nothing is read before that. The goroutine that has the lock has none of these records, but for those of
// getting it: it has done nothing since.
type postponed struct {
	object  uint64 // 0: none
	records []ring.Record
}

// maxPostponed bounds how many records wait: who holds a lock may be kept from saying so by the operating system.
const maxPostponed = 1 << 12

// postpone reports whether rec is to be read later. If it is what others wait for, these are read after it.
func (p *Process) postpone(rec *ring.Record) bool {
	w := &p.postponed
	if w.object == 0 {
		return false
	}
	if p.locksPostponed(rec) {
		p.read(rec)
		p.resume(false)
		return true
	}
	kept := *rec
	kept.Payload = bytes.Clone(rec.Payload)
	w.records = append(w.records, kept)
	if len(w.records) > maxPostponed {
		p.resume(true)
	}
	return true
}

// locksPostponed reports whether rec says who has the lock that could not be locked.
func (p *Process) locksPostponed(rec *ring.Record) bool {
	if rec.Aux != p.postponed.object {
		return false
	}
	for i := range p.postponed.records {
		if r := &p.postponed.records[i]; r.Ctx == rec.Ctx && !isOfLock(r, rec.Aux) {
			return false
		}
	}
	switch rec.Op() {
	case ring.OpLock, ring.OpRLock:
		return rec.Kind == ring.KindAcquire
	case ring.OpAnnounce:
		return rec.Kind == ring.KindTry
	}
	return false
}

// isOfLock reports whether a record is of getting that RWMutex, which a writer does in two steps.
func isOfLock(rec *ring.Record, rw uint64) bool {
	const size = 24
	return rec.Kind == ring.KindAcquire && rec.Addr-rw < size
}

// resume reads the records that wait. If they are to be read anyway, the one that was the reason is read without an answer.
func (p *Process) resume(anyway bool) {
	records := p.postponed.records
	p.postponed = postponed{}
	for i := range records {
		rec := &records[i]
		if i == 0 {
			if g := p.goroutines.get(rec.Ctx); g != nil && !anyway {
				p.try(g, rec)
			}
			continue // it has been counted
		}
		if !p.postpone(rec) {
			p.read(rec)
		}
	}
}
