package builtin

import (
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
	used  objects[use]
	found map[op.Place]*pair // by where the copy is made: of several locks in a value one says enough
	order []op.Place
	told  int // of order, by certain
}

// use is what was done with an object that must not be copied then.
type use struct {
	last   mark
	locked int // how often it has been locked and not unlocked
}

// Kinds of copies.
const (
	copyUsed flaw = iota
	copyLocked
)

func newCopyDetector() rule.Detector {
	return &copyDetector{found: map[op.Place]*pair{}}
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
		of(&d.used, o.Object).add(o)
	}
}

func (u *use) add(o *op.Op) {
	u.last = markOf(o, o.Kind)
	if o.Kind == op.Lock || o.Kind == op.RLock {
		u.locked++
	}
}

func (d *copyDetector) copied(o *op.Op) {
	used := d.used.At(o.Object)
	if used == nil || o.Task == op.NoTask {
		return
	}
	p := d.found[o.At]
	switch {
	case p != nil:
		p.count++
	case len(d.order) < maxPairs:
		d.order = append(d.order, o.At)
		p = &pair{how: Observed, first: markOf(o, op.Copy), second: used.last, object: o.Object, count: 1}
		d.found[o.At] = p
	default:
		return
	}
	if used.locked > 0 && p.flaw == copyUsed { // that is worse
		p.flaw, p.first, p.second, p.object = copyLocked, markOf(o, op.Copy), used.last, o.Object
	}
}

func (d *copyDetector) Findings(names op.Names) []Finding { return d.tell(d.order, names) }

func (d *copyDetector) Certain(names op.Names) []Finding {
	fresh := d.order[d.told:]
	d.told = len(d.order)
	return d.tell(fresh, names)
}

// tell tells what was found at those places.
func (d *copyDetector) tell(places []op.Place, names op.Names) []Finding {
	var found pairs
	for _, at := range places {
		if !names.Place(at).Library { // package reflect, say, copies what it prints
			found.list = append(found.list, *d.found[at])
		}
	}
	return found.findings(Copy, names, describeCopy)
}

// uses says what was done with something that must not be copied then.
var uses = map[op.Kind]string{
	op.Lock: "has locked", op.RLock: "has read-locked", op.Add: "has added to", op.Wait: "has waited for",
	op.CondWait: "has waited for", op.Signal: "has signalled", op.Broadcast: "has signalled", op.Once: "has used",
}

func describeCopy(w words, p *pair) description {
	object, used, unlocked := w.object(p.object), uses[p.second.kind], ""
	notes := []string{"the copy is another one, in the state of the first at that moment: who uses the one does not wait for who uses the other; hand on a pointer"}
	if p.flaw == copyLocked {
		unlocked = " and not unlocked"
		notes = append(notes, "the copy is locked until it is unlocked itself, whatever becomes of the first")
	}
	return description{
		text:   w.doer(&p.first) + " copies " + object + ", which " + w.task(p.second.task) + " " + used + w.at(p.second.at) + unlocked,
		first:  "copies " + object,
		second: used + " " + object,
		notes:  notes,
	}
}
