package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// lockedBehind is a lock that a task has taken behind a case, before it came back to a channel of
// the statement.
type lockedBehind struct {
	candidate.Mark
	object op.Object
}

// Bounds. Each only loses findings.
const (
	maxLockedBehind = 4  // by a task, behind a case
	maxLockedThere  = 16 // of one statement, behind a case
)

// noteLock notes that a task locks a lock behind the cases from which it has not come back. A
// TryLock does not count.
func (t *task) noteLock(o *op.Op) {
	if o.Tries() {
		return
	}
	for i := range t.examples {
		if e := &t.examples[i]; !e.isBack && len(e.locked) < maxLockedBehind {
			e.locked = append(e.locked, lockedBehind{candidate.MarkOf(o, o.Kind), o.Object})
		}
	}
}

// noteBack notes that the task comes back to a channel of the statement, or ends.
func (e *example) noteBack() {
	if !e.isBack {
		e.isBack = true
		e.place.noteLocked(e.took, e.locked)
	}
}

// noteLocked keeps the locks that a task has taken behind the case with index took, as far as each
// task so far has locked at the same places there.
func (p *selectPlace) noteLocked(took int, locked []lockedBehind) {
	known := p.locked[took]
	if known == nil {
		p.locked[took] = append(make([]lockedBehind, 0, len(locked)), locked...)
		return
	}
	isAmong := func(all []lockedBehind, at op.Place) bool {
		return slices.ContainsFunc(all, func(l lockedBehind) bool { return l.At == at })
	}
	known = slices.DeleteFunc(known, func(l lockedBehind) bool { return !isAmong(locked, l.At) })
	for _, l := range locked {
		isKnown := slices.ContainsFunc(known, func(k lockedBehind) bool {
			return k.At == l.At && k.Task == l.Task && k.object == l.object
		})
		if !isKnown && isAmong(known, l.At) && len(known) < maxLockedThere {
			known = append(known, l)
		}
	}
	p.locked[took] = known
}

// locksBehind returns a lock for which R waits behind the other case as long as S waits for R; of
// kind None if the run shows none. Nothing but S unlocks it.
func (x *otherCases) locksBehind(c *alternative) lockedBehind {
	for _, l := range x.place(c.At).locked[c.other] {
		isHeld := slices.ContainsFunc(c.held, func(h rule.HeldLock) bool {
			return h.Object == l.object && (h.Kind == op.Lock || l.Kind == op.Lock)
		})
		lock := x.run.Objects.At(l.object)
		if l.Task == c.Task && isHeld && lock != nil && !lock.Lent {
			return l
		}
	}
	return lockedBehind{}
}
