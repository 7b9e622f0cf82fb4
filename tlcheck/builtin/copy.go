package builtin

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// copyRule reports copies of locks and other objects that must not be copied after use.
var copyRule = &rule.Rule{
	Name: Copy,
	Doc:  "reports copies of locks and other objects that must not be copied after use",
	Kinds: []op.Kind{
		op.Lock, op.RLock, op.Unlock, op.RUnlock, op.Add, op.Wait, op.CondWait, op.Signal, op.Broadcast, op.Once, op.Copy, op.Free,
	},
	NeedsAccesses: true,
	New:           newCopyDetector,
}

// copyDetector looks for copies of what has been used: a Mutex, RWMutex, WaitGroup, Cond or Once is known by
// its address, so that the copy is another one, in the state in which the first was at that moment.
//
// What is written over has not been used any more; neither has what is in memory of the heap
// that was used for something else before.
type copyDetector struct {
	candidate.Pairs // by where the copy is made: of several locks in a value one says enough
	used            candidate.Objects[use]
}

// use is what was done with an object that must not be copied then.
type use struct {
	last   candidate.Mark
	locked int // how often it has been locked and not unlocked
}

// Kinds of copies.
const (
	copyUsed candidate.Flaw = iota
	copyLocked
)

func newCopyDetector() rule.Detector {
	return &copyDetector{Pairs: candidate.Pairs{Property: Copy, Describe: describeCopy, ByFirst: true}}
}

func (d *copyDetector) Op(o *op.Op) {
	switch {
	case o.Kind == op.Free || o.Kind == op.Copy && o.N == 1:
		d.used.Set(o.Object, nil)
	case o.Kind == op.Copy:
		d.copied(o)
	case o.Kind == op.Unlock || o.Kind == op.RUnlock:
		if u := d.used.At(o.Object); u != nil {
			u.locked = max(u.locked-1, 0)
		}
	case o.Task != op.NoTask:
		d.used.Of(o.Object).add(o)
	}
}

func (u *use) add(o *op.Op) {
	u.last = candidate.MarkOf(o, o.Kind)
	if o.Kind == op.Lock || o.Kind == op.RLock {
		u.locked++
	}
}

func (d *copyDetector) copied(o *op.Op) {
	used := d.used.At(o.Object)
	if used == nil || o.Task == op.NoTask {
		return
	}
	p := d.Add(candidate.Pair{How: Observed, First: candidate.MarkOf(o, op.Copy), Second: used.last, Object: o.Object})
	if p != nil && used.locked > 0 && p.Flaw == copyUsed { // that is worse
		p.Flaw, p.First, p.Second, p.Object = copyLocked, candidate.MarkOf(o, op.Copy), used.last, o.Object
	}
}

// uses says what was done with something that must not be copied then.
var uses = map[op.Kind]string{
	op.Lock: "has locked", op.RLock: "has read-locked", op.Add: "has added to", op.Wait: "has waited for",
	op.CondWait: "has waited for", op.Signal: "has signalled", op.Broadcast: "has signalled", op.Once: "has used",
}

// describeCopy leaves out copies by the library: package reflect, say, copies what it prints.
func describeCopy(w candidate.Words, p *candidate.Pair) candidate.Description {
	if w.Place(p.First.At).Library {
		return candidate.Description{}
	}
	object, used, unlocked := w.ObjectName(p.Object), uses[p.Second.Kind], ""
	notes := []string{"the copy is another one, in the state of the first at that moment: who uses the one does not wait for who uses the other; hand on a pointer"}
	if p.Flaw == copyLocked {
		unlocked = " and not unlocked"
		notes = append(notes, "the copy is locked until it is unlocked itself, whatever becomes of the first")
	}
	return candidate.Description{
		Text:   w.Doer(&p.First) + " copies " + object + ", which " + w.TaskName(p.Second.Task) + " " + used + w.At(p.Second.At) + unlocked,
		First:  "copies " + object,
		Second: used + " " + object,
		Notes:  notes,
	}
}
