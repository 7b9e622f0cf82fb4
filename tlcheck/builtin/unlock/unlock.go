// Package unlock looks for unlocks of locks that may not be locked.
//
// In the full order the sections of a lock that exclude each other come one after the other, from
// each unlock to the next lock. So there is a slice in which an unlock is next and the lock is not
// locked if and only if the unlock does not come after the Lock that it undoes. Then another task
// has locked it. For readers there is no such sequence: an RUnlock undoes any RLock. So the package
// counts whether in some slice RUnlocks outnumber the RLocks.
//
// It also looks for locks that are not unlocked: see kept.
package unlock

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/counter"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports unlocks of locks that may be unlocked, and locks that goroutines keep when they end.
var Rule = &rule.Rule{
	Name:  "unlock",
	Doc:   "reports unlocks of locks that may be unlocked, and locks that goroutines keep when they end",
	Kinds: []op.Kind{op.Unlock, op.RLock, op.RUnlock, op.Block, op.CondWait, op.Send, op.Recv, op.Select, op.Misuse, op.Free},
	New: func() rule.Detector {
		return &detector{
			Pairs: candidate.Pairs{Describe: describe, Misuses: misuses},
			kept:  kept{Pairs: candidate.Pairs{Describe: describeKept}},
		}
	},
}

type detector struct {
	candidate.Pairs
	run     *state.Run
	readers candidate.Objects[readers]
	kept    kept
}

// readers are the open RLocks of an RWMutex. While there is only one at a time, it is enough to
// keep that. From the second one on they are counted, until there is none.
type readers struct {
	only    candidate.Mark // of kind None if there is none
	counted *counter.Counter
}

const (
	unlockUnlocked candidate.Flaw = iota
	runlockUnlocked
	keptLocked
	keptForOthers // a task that can go on may unlock it
	keptUnused    // no other task is known to lock it later
)

var misuses = map[op.Mistake]candidate.Misuse{
	op.UnlockUnlocked:  {Flaw: unlockUnlocked, Kind: op.Unlock},
	op.RUnlockUnlocked: {Flaw: runlockUnlocked, Kind: op.RUnlock},
}

func (d *detector) ObserveState(r *state.Run) { d.run, d.kept.run = r, r }

func (d *detector) Op(o *op.Op) {
	switch o.Kind {
	case op.Unlock:
		d.unlock(o)
		d.kept.noteUnlock(o)
	case op.RLock:
		d.readers.Ensure(o.Object).add(o)
	case op.RUnlock:
		d.runlock(o)
		d.kept.noteUnlock(o)
	case op.CondWait:
		d.kept.noteWait(o)
	case op.Block:
		if o.Want == op.CondWait {
			d.kept.noteWait(o)
		}
	case op.Select:
		d.kept.noteLook(o)
	case op.Send:
		d.kept.noteSend(o)
	case op.Recv:
		d.kept.noteReceive(o)
	case op.Misuse:
		d.AddMisuse(o, candidate.Mark{})
	case op.Free:
		d.readers.Set(o.Object, nil)
		d.kept.permits.Set(o.Object, nil)
	}
}

func (r *readers) add(o *op.Op) {
	switch {
	case r.counted != nil:
		r.counted.Add(candidate.EventOf(o), 1)
	case r.only.Kind == op.None:
		r.only = candidate.MarkOf(o, op.RLock)
	default:
		r.counted = new(counter.Counter)
		r.counted.Add(candidate.Event{Mark: r.only}, 1)
		r.counted.Add(candidate.EventOf(o), 1)
		r.only = candidate.Mark{}
	}
}

func (d *detector) unlock(o *op.Op) {
	if s := &d.run.Released; s.Kind == op.Lock && !s.Within(o.Begin, o.Task, o.K) {
		d.Predict(unlockUnlocked, candidate.MarkOf(o, op.Unlock), s.Mark, o.Object)
	}
}

func (d *detector) runlock(o *op.Op) {
	r := d.readers.Ensure(o.Object)
	if r.counted == nil {
		if r.only.Kind == op.RLock && !r.only.Within(o.Begin, o.Task, o.K) {
			d.runlocked(o, r.only)
		}
		r.only = candidate.Mark{}
		return
	}
	e := candidate.Event{Mark: candidate.MarkOf(o, o.Kind), Full: o.Begin}
	if r.counted.Sub(e, 1) > 0 && !r.counted.Blurred {
		d.runlocked(o, r.counted.Unknown())
	}
	if r.counted.Sum == 0 {
		r.counted = nil
	}
}

func (d *detector) runlocked(o *op.Op, locked candidate.Mark) {
	d.Predict(runlockUnlocked, candidate.MarkOf(o, op.RUnlock), locked, o.Object)
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	return append(d.Pairs.Findings(names), d.kept.findings(names)...)
}
