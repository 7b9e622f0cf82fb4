package ndjson

import (
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// Where readers and writers of a lock synchronise, as offsets from its address.
const (
	readersKey = 8 // released by writers
	writersKey = 16
)

// lock is a lock that tasks use.
type lock struct {
	addr    uint64
	shared  bool // it has readers
	named   bool
	holder  *actor
	depth   int // locks minus unlocks of the holder
	readers int
	kept    int // how often the holder has locked it for reading as well, which the unlock keeps
	// at the end of the log: the line since which the longest waiting task waits to lock it, 0 if
	// none does
	awaited int32
}

// isHeldFrom reports whether another task holds the lock for writing.
func (l *lock) isHeldFrom(a *actor) bool { return l.holder != nil && l.holder != a }

// await notes that a task waits to lock at the end. As with an RWMutex that has readers, a later
// reader must wait.
func (l *lock) await(rec *record) {
	if l.awaited == 0 || rec.line < l.awaited {
		l.awaited = rec.line
	}
}

func (p *replay) lock(name string) *lock {
	l := p.locks[name]
	if l == nil {
		l = &lock{addr: p.NewAddress()}
		p.locks[name] = l
	}
	return l
}

// doLock locks for writing. A task may lock again a lock that it holds: some locks allow that, and
// it orders nothing.
func (p *replay) doLock(a *actor, rec *record) error {
	name := rec.operation.object
	l := p.lock(name)
	switch {
	case l.holder == a:
		l.depth++
		return nil
	case l.holder != nil:
		return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "locking"`,
			"task %.60q locks %.60q, which task %.60q holds", a.Name, name, l.holder.Name)
	case l.readers > 0:
		return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "locking"`,
			"task %.60q locks %.60q, which has readers", a.Name, name)
	}
	l.holder, l.depth = a, 1
	made := event.Record{Kind: ring.KindAcquire, Addr: l.addr, Aux: l.addr, Arg: ring.OpLock}
	if l.shared {
		p.put(rec, a, event.Record{Kind: ring.KindAcquire, Addr: l.addr + readersKey, Aux: l.addr + readersKey}, "")
		made.Addr += writersKey
	}
	p.putLock(rec, a, l, made)
	return nil
}

// doUnlock ends a section, which another task may have begun.
func (p *replay) doUnlock(a *actor, rec *record) error {
	l := p.lock(rec.operation.object)
	if l.holder == nil {
		return p.fault(rec, remedyOrder, "task %.60q unlocks %.60q, which no task has locked", a.Name,
			rec.operation.object)
	}
	if l.depth--; l.depth > 0 {
		return nil
	}
	made := event.Record{Kind: ring.KindRelease, Addr: l.addr, Aux: l.addr, Arg: ring.OpUnlock}
	if l.shared {
		made.Addr += readersKey
	}
	p.putLock(rec, a, l, made)
	p.downgrade(rec, l)
	return nil
}

// downgrade turns the holder that has unlocked into a reader, as often as it has locked for reading
// meanwhile. It did not have to wait for that.
func (p *replay) downgrade(rec *record, l *lock) {
	for range l.kept {
		p.read(rec, l.holder, l, ring.OpRLock|ring.OpTried)
	}
	l.holder, l.kept = nil, 0
}

// doRLock locks for reading. A task may do so while it holds the lock for writing, to go on as a
// reader.
func (p *replay) doRLock(a *actor, rec *record) error {
	l := p.lock(rec.operation.object)
	switch {
	case l.holder == a:
		l.kept++
		return nil
	case l.holder != nil:
		return p.fault(rec, remedyOrder+`; a line that begins to wait is of kind "rlocking"`,
			"task %.60q locks %.60q for reading, which task %.60q holds", a.Name, rec.operation.object, l.holder.Name)
	}
	p.read(rec, a, l, ring.OpRLock)
	return nil
}

// read makes a task a reader.
func (p *replay) read(rec *record, a *actor, l *lock, how uint64) {
	l.readers++
	p.putLock(rec, a, l, event.Record{Kind: ring.KindAcquire, Addr: l.addr + readersKey, Aux: l.addr, Arg: how})
}

func (p *replay) doRUnlock(a *actor, rec *record) error {
	l := p.lock(rec.operation.object)
	switch {
	case l.holder == a && l.kept > 0:
		l.kept--
		return nil
	case l.readers == 0:
		return p.fault(rec, remedyOrder, "task %.60q unlocks %.60q for reading, which has no readers", a.Name,
			rec.operation.object)
	}
	l.readers--
	p.putLock(rec, a, l, event.Record{Kind: ring.KindReleaseMerge, Addr: l.addr + writersKey, Aux: l.addr,
		Arg: ring.OpRUnlock})
	return nil
}

// putLock appends an operation on a lock. That has its name by its own address, which is none of
// the two with which readers and writers synchronise, so there is another record with the name,
// behind the first operation and of none itself.
func (p *replay) putLock(rec *record, a *actor, l *lock, made event.Record) {
	p.put(rec, a, made, rec.operation.object)
	if l.shared && !l.named {
		l.named = true
		p.put(rec, a, event.Record{Kind: ring.KindAcquire, Addr: l.addr, Aux: l.addr}, rec.operation.object)
	}
}
