package causality

import (
	"bytes"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// postponed are records behind one that says that somebody could not lock something, or has unlocked it, before who has locked it has
// said so: a lock is recorded when it is held. Nothing is read before that. The goroutine that has the lock has none of these records, but
// for those of getting it: it has done nothing since.
type postponed struct {
	object  uint64 // that was locked; 0: none
	records []ring.Record
	inVain  bool // the first one is read, though nobody has said that he has the lock
}

// maxPostponed bounds how many records wait: who holds a lock may be kept from saying so by the operating system.
const maxPostponed = 1 << 12

// await postpones rec, which somebody else's record must come before, and all that is behind it.
func (p *Order) await(rec *ring.Record) {
	object := rec.Aux
	if object == 0 {
		object = rec.Addr
	}
	p.postponed = postponed{object: object, records: []ring.Record{*rec}}
}

// postpone reports whether rec is to be read later. If it is what others wait for, these are read after it.
func (p *Order) postpone(rec *ring.Record) bool {
	w := &p.postponed
	if w.object == 0 {
		return false
	}
	if p.locksPostponed(rec) {
		w.records = slices.DeleteFunc(w.records, func(r ring.Record) bool {
			if r.Ctx != rec.Ctx {
				return false
			}
			p.read(&r)
			return true
		})
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

// Idle reads what waits for a record that has not come for a while, as Feed does.
func (p *Order) Idle() error {
	for p.postponed.object != 0 && p.err == nil {
		p.resume(true)
	}
	return p.err
}

// locksPostponed reports whether rec says who has the lock that could not be locked, or was unlocked.
func (p *Order) locksPostponed(rec *ring.Record) bool {
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

// resume reads the records that wait. If they are to be read anyway, the one that was the reason is read in vain: what could not
// be locked is not explained then.
func (p *Order) resume(anyway bool) {
	records := p.postponed.records
	p.postponed = postponed{inVain: anyway}
	first := &records[0] // which has been counted
	if g := p.goroutines.get(first.Ctx); g != nil {
		if first.Kind != ring.KindTry {
			p.release(g, first)
		} else if !anyway {
			p.try(g, first)
		}
	}
	p.postponed.inVain = false
	for i := range records[1:] {
		if rec := &records[1+i]; !p.postpone(rec) {
			p.read(rec)
		}
	}
}
