package causality

import (
	"bytes"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// postponed are the records after one that shows a lock as held, by a failed attempt or an unlock,
// before its owner has recorded that: the owner records the lock once it holds it. The records wait
// for the owner's. None of them is the owner's, except those of acquiring the lock: it has done
// nothing since.
type postponed struct {
	lock    uint64 // its address; 0: none
	records []ring.Record
	inVain  bool // the first record is read without the owner's
}

// maxPostponed bounds the records that wait: the operating system may keep the owner of a lock from
// recording it.
const maxPostponed = 1 << 12

// postponeFrom postpones rec, which must come after a record of another goroutine, and all later
// records.
func (p *Order) postponeFrom(rec *ring.Record) {
	object := rec.Aux
	if object == 0 {
		object = rec.Addr
	}
	p.postponed = postponed{lock: object, records: []ring.Record{*rec}}
}

// postpone reports whether rec is to be read later. If others wait for it, they are read after it.
func (p *Order) postpone(rec *ring.Record) bool {
	w := &p.postponed
	if w.lock == 0 {
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

// Idle reads records that wait for one that has not come for a while, as Feed does.
func (p *Order) Idle() error {
	for p.postponed.lock != 0 && p.err == nil {
		p.resume(true)
	}
	return p.err
}

// locksPostponed reports whether rec shows the owner of the lock that was found locked, or was
// unlocked.
func (p *Order) locksPostponed(rec *ring.Record) bool {
	if rec.Aux != p.postponed.lock {
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

// isOfLock reports whether a record is part of locking that RWMutex, which a writer does in two
// steps.
func isOfLock(rec *ring.Record, rw uint64) bool {
	const size = 24
	return rec.Kind == ring.KindAcquire && rec.Addr-rw < size
}

// resume reads the records that wait. With anyway it reads the first one without the record that it
// waits for: then the failed attempt stays unexplained.
func (p *Order) resume(anyway bool) {
	records := p.postponed.records
	p.postponed = postponed{inVain: anyway}
	first := &records[0] // it has been counted
	if g := p.goroutines.get(first.Ctx); g != nil {
		if first.Kind != ring.KindTry {
			p.release(g, first)
		} else if !anyway {
			p.readTry(g, first)
		}
	}
	p.postponed.inVain = false
	for i := range records[1:] {
		if rec := &records[1+i]; !p.postpone(rec) {
			p.read(rec)
		}
	}
}
