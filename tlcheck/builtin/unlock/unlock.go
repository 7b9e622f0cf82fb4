// Package unlock looks for unlocks of what may be unlocked.
//
// In the full order the sections of a lock that exclude each other come one after the other, from
// each unlock to the next lock. So a slice in which an unlock is next and the lock is not locked
// exists if and only if the unlock does not come after the lock that it undoes: which another task
// took, with no order to this one but that it was locked when this one unlocked it. For readers
// there is no such sequence: an RUnlock undoes any RLock, so it is counted whether those of some
// slice outnumber the RLocks.
package unlock

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/counter"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports unlocks of locks that may be unlocked.
var Rule = &rule.Rule{
	Name:  "unlock",
	Doc:   "reports unlocks of locks that may be unlocked",
	Kinds: []op.Kind{op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Misuse, op.Free},
	New: func() rule.Detector {
		return &detector{Pairs: candidate.Pairs{Describe: describe, Misuses: misuses}}
	},
}

type detector struct {
	candidate.Pairs
	locks candidate.Objects[unlockable]
}

// unlockable is a Mutex or RWMutex. While one task at a time reads, it is the reader; from the
// second on they are counted, until there is none any more.
type unlockable struct {
	locked, reader candidate.Mark // of kind None if there is none
	readers        *counter.Counter
}

const (
	unlockUnlocked candidate.Flaw = iota
	runlockUnlocked
)

var misuses = map[op.Mistake]candidate.Misuse{
	op.UnlockUnlocked:  {Flaw: unlockUnlocked, Kind: op.Unlock},
	op.RUnlockUnlocked: {Flaw: runlockUnlocked, Kind: op.RUnlock},
}

func (d *detector) Op(o *op.Op) {
	switch o.Kind {
	case op.Lock:
		d.locks.Of(o.Object).locked = candidate.MarkOf(o, op.Lock)
	case op.Unlock:
		d.unlock(o)
	case op.RLock:
		d.locks.Of(o.Object).rlock(o)
	case op.RUnlock:
		d.runlock(o)
	case op.Misuse:
		d.AddMisuse(o, candidate.Mark{})
	case op.Free:
		d.locks.Set(o.Object, nil)
	}
}

func (l *unlockable) rlock(o *op.Op) {
	switch {
	case l.readers != nil:
		l.readers.Add(candidate.EventOf(o), 1)
	case l.reader.Kind == op.None:
		l.reader = candidate.MarkOf(o, op.RLock)
	default:
		l.readers = new(counter.Counter)
		l.readers.Add(candidate.Event{Mark: l.reader}, 1)
		l.readers.Add(candidate.EventOf(o), 1)
		l.reader = candidate.Mark{}
	}
}

func (d *detector) unlock(o *op.Op) {
	l := d.locks.Of(o.Object)
	locked := l.locked
	l.locked = candidate.Mark{}
	if locked.Kind == op.Lock && !locked.Within(o.Begin, o.Task, o.K) {
		d.Predict(unlockUnlocked, candidate.MarkOf(o, op.Unlock), locked, o.Object)
	}
}

func (d *detector) runlock(o *op.Op) {
	l := d.locks.Of(o.Object)
	if l.readers == nil {
		if l.reader.Kind == op.RLock && !l.reader.Within(o.Begin, o.Task, o.K) {
			d.runlocked(o, l.reader)
		}
		l.reader = candidate.Mark{}
		return
	}
	e := candidate.Event{Mark: candidate.MarkOf(o, o.Kind), Full: o.Begin}
	if l.readers.Sub(e, 1) > 0 && !l.readers.Blurred {
		d.runlocked(o, l.readers.Unknown())
	}
	if l.readers.Sum == 0 {
		l.readers = nil
	}
}

func (d *detector) runlocked(o *op.Op, locked candidate.Mark) {
	d.Predict(runlockUnlocked, candidate.MarkOf(o, op.RUnlock), locked, o.Object)
}
