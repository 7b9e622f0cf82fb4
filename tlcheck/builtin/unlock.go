package builtin

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// unlockRule reports unlocks of locks that may be unlocked.
var unlockRule = &rule.Rule{
	Name:  Unlock,
	Doc:   "reports unlocks of locks that may be unlocked",
	Kinds: []op.Kind{op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Misuse, op.Free},
	New:   newUnlockDetector,
}

// unlockDetector looks for unlocks of what may be unlocked.
//
// In the full order the sections of a lock that exclude each other come one after the other, from each
// unlock to the next lock. So a slice in which an unlock is next and the lock is not locked exists if and
// only if the unlock does not come after the lock that it undoes: which another task took, with no order
// to this one but that it was locked when this one unlocked it. For readers there is no such sequence: an RUnlock undoes any RLock, so it is counted
// whether those of some slice outnumber the RLocks.
type unlockDetector struct {
	locks objects[unlockable]
	found pairs
}

// unlockable is a Mutex or RWMutex. While one task at a time reads, it is the reader; from the second
// on they are counted, until there is none any more.
type unlockable struct {
	locked, reader mark // of kind None if there is none
	readers        *counter
}

const (
	unlockUnlocked flaw = iota
	runlockUnlocked
)

func newUnlockDetector() rule.Detector { return new(unlockDetector) }

func (d *unlockDetector) Op(o *op.Op) {
	switch o.Kind {
	case op.Lock:
		d.lock(o.Object).locked = markOf(o, op.Lock)
	case op.Unlock:
		d.unlock(o)
	case op.RLock:
		d.lock(o.Object).rlock(o)
	case op.RUnlock:
		d.runlock(o)
	case op.Misuse:
		d.misuse(o)
	case op.Free:
		d.locks.Set(o.Object, nil)
	}
}

func (d *unlockDetector) lock(object op.Object) *unlockable {
	return of(&d.locks, object)
}

func (l *unlockable) rlock(o *op.Op) {
	switch {
	case l.readers != nil:
		l.readers.add(eventOf(o), 1)
	case l.reader.kind == op.None:
		l.reader = markOf(o, op.RLock)
	default:
		l.readers = new(counter)
		l.readers.add(event{mark: l.reader}, 1)
		l.readers.add(eventOf(o), 1)
		l.reader = mark{}
	}
}

func (d *unlockDetector) unlock(o *op.Op) {
	l := d.lock(o.Object)
	locked := l.locked
	l.locked = mark{}
	if locked.kind == op.Lock && !locked.within(o.Begin, o.Task, o.K) {
		d.found.add(pair{flaw: unlockUnlocked, how: Predicted, first: markOf(o, op.Unlock), second: locked, object: o.Object})
	}
}

func (d *unlockDetector) runlock(o *op.Op) {
	l := d.lock(o.Object)
	if l.readers == nil {
		if l.reader.kind == op.RLock && !l.reader.within(o.Begin, o.Task, o.K) {
			d.runlocked(o, l.reader)
		}
		l.reader = mark{}
		return
	}
	if l.readers.sub(event{markOf(o, o.Kind), o.Begin}, 1) > 0 && !l.readers.blurred {
		d.runlocked(o, l.readers.unknown())
	}
	if l.readers.sum == 0 {
		l.readers = nil
	}
}

func (d *unlockDetector) runlocked(o *op.Op, locked mark) {
	d.found.add(pair{flaw: runlockUnlocked, how: Predicted, first: markOf(o, op.RUnlock), second: locked, object: o.Object})
}

func (d *unlockDetector) misuse(o *op.Op) {
	switch o.N {
	case op.UnlockUnlocked:
		d.found.add(pair{flaw: unlockUnlocked, how: Observed, first: markOf(o, op.Unlock), object: o.Object})
	case op.RUnlockUnlocked:
		d.found.add(pair{flaw: runlockUnlocked, how: Observed, first: markOf(o, op.RUnlock), object: o.Object})
	}
}

func (d *unlockDetector) Findings(names op.Names) []Finding {
	return d.found.findings(Unlock, names, describeUnlock)
}

func (d *unlockDetector) Certain(names op.Names) []Finding {
	return d.found.certain(Unlock, names, describeUnlock)
}

func describeUnlock(w words, p *pair) description {
	lock, locked := w.object(p.object), "locked"
	if p.flaw == runlockUnlocked {
		locked = "locked for reading"
	}
	if p.how == Observed {
		return description{text: w.doer(&p.first) + " unlocks " + lock + ", which is not " + locked, first: "unlocks " + lock}
	}
	return description{
		text: w.doer(&p.first) + " can unlock " + lock + " when it is not " + locked + ": it does not wait for " +
			w.task(p.second.task) + ", which locks it" + w.at(p.second.at),
		first:    "unlocks " + lock,
		second:   "locks " + lock,
		schedule: []mark{p.first},
	}
}
