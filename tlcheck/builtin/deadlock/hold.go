package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// acquisition is an operation that acquires a lock.
type acquisition struct {
	reorder.Acquisition
	lock *lockable
}

// acquisitionAfter returns an operation as an acquisition, with what its task knew after it.
func acquisitionAfter(o *op.Op, kind op.Kind) acquisition {
	return acquisition{Acquisition: reorder.Acquisition{
		Free: o.Free, Data: o.Data, Task: o.Task, K: o.K, At: o.At, Kind: kind,
	}}
}

// acquisitionBefore returns an operation as an acquisition, with what its task knew before it.
func acquisitionBefore(o *op.Op, kind op.Kind) acquisition {
	return acquisition{Acquisition: reorder.Acquisition{
		Free: o.Before, Data: o.BeforeData, Task: o.Task, K: o.K, At: o.At, Kind: kind,
	}}
}

// excludes reports whether the sections of a and b exclude each other.
func (a *acquisition) excludes(b *acquisition) bool {
	return a.lock == b.lock && reorder.Excludes(a.Kind, b.Kind)
}

// isExcludedBy reports whether the section of a and one of others exclude each other.
func (a *acquisition) isExcludedBy(others []acquisition) bool {
	return slices.ContainsFunc(others, func(o acquisition) bool { return o.excludes(a) })
}

// isOpen reports whether the section that it begins has not been left.
func (a *acquisition) isOpen() bool {
	return slices.ContainsFunc(a.lock.owners, func(owner *actor) bool {
		return slices.ContainsFunc(owner.held, func(h acquisition) bool { return h.Seq == a.Seq })
	})
}

// actor is what the detector knows of a task.
type actor struct {
	task    op.Task
	started *goStatement // nil: it was not seen
	ended   bool

	moments []moment // the last maxMoments, as a ring
	oldest  int
	links   int // of the longest way back through moments to tasks that had ended before it; see unlink

	*progress
}

// progress is how far a task has come. It is not needed for a task that has ended and is in no
// section.
type progress struct {
	held            []acquisition // in the order in which they were acquired
	freed           acquisition   // of a mutex, whose section ended last
	*reorder.Holder               // package reorder keeps it when the task has ended, also in a snapshot

	waits   *moment  // where it is blocked; nil if it is not, as far as is known
	blocked *moment  // memory of waits
	room    []moment // empty: memory for the moments of the next task with this progress
	cases   []target // of the select statement that is being decided
	mayWait bool     // it has no default
}

// reset empties p, and keeps its memory for reuse.
func (p *progress) reset() {
	clear(p.held[:cap(p.held)])
	if p.blocked != nil {
		*p.blocked = moment{}
	}
	p.freed = acquisition{}
	p.held, p.waits, p.cases, p.mayWait = p.held[:0], nil, nil, false
	p.Holder.Reset()
}

// goStatement is a go statement, with that of the task that executed it.
type goStatement struct {
	acquisition
	child  op.Task
	parent *goStatement
	depth  int // of the parents known, below maxDepth
}

// waitsFor reports whether the task that g starts cannot exist before a stuck task goes on: a stuck
// task is still to execute g, or the go statement of one of its ancestors. done reports whether a
// task has executed an operation.
func (g *goStatement) waitsFor(isStuck func(op.Task) bool, done func(op.Task, int32) bool) bool {
	for ; g != nil && !done(g.Task, g.K); g = g.parent {
		if isStuck(g.Task) {
			return true
		}
	}
	return false
}

// settle shrinks the memory of an ended task to its moments, which others may still need.
func (a *actor) settle() {
	if n := len(a.moments); n < cap(a.moments) {
		a.room, a.moments = a.moments, append(make([]moment, 0, n), a.moments...)
		clear(a.room)
		a.room = a.room[:0]
	}
}

// lockable is a Mutex, an RWMutex, or a channel that is used as a lock.
type lockable struct {
	object  op.Object
	readers bool     // a task has acquired it by RLock, or waits for that
	none    bool     // a channel that has turned out to be no lock
	serves  bool     // a task has left a section that it began itself
	owners  []*actor // of each open section

	*reorder.Users // acquired it last; acquisitions point to it, also in a snapshot

	first, wanted []*dependency // dependencies in which it is held, or wanted
	writers       []moment      // acquisitions by Lock, for readers that come before and after
	writes        int
	signalling    []op.Place // of acquisitions; see noteSignalling

	// crossed are the acquisitions of sections that another task left. allCrossed says that there
	// are too many.
	crossed    []int64
	allCrossed bool
}

func (l *lockable) isCrossed(seq int64) bool { return l.allCrossed || slices.Contains(l.crossed, seq) }

// isHandedOver reports whether a task has ever left another task's section.
func (l *lockable) isHandedOver() bool { return l.allCrossed || len(l.crossed) > 0 }

func (l *lockable) cross(seq int64) {
	if len(l.crossed) >= maxCrossed {
		l.allCrossed, l.crossed = true, nil
	}
	if !l.allCrossed {
		l.crossed = append(l.crossed, seq)
	}
}

// acquire notes that a section begins. waits is false if the task would not have waited for it.
func (d *Detector) acquire(a *actor, o *op.Op, waits bool) {
	l := d.lock(o.Object)
	if o.Kind != op.Send && l.isExcluded(o.Kind) {
		d.free(o.Object)
		l = d.lock(o.Object)
	}
	got := acquisitionAfter(o, o.Kind)
	got.lock, got.Lock, got.Seq, got.Alone = l, l.Users, d.next(), waits && len(a.held) == 0
	var hold *holding
	switch {
	case len(a.held) == 0:
		a.Begin(&got.Acquisition)
	case waits && !d.sections.IsBlind():
		hold = d.noteNested(a, &got, o.Begin)
	}
	if waits && (len(a.held) == 0 || hold != nil) {
		m := a.newMoment()
		m.acquisition, m.begin, m.started, m.hold = got, o.Begin, a.started, hold
		d.keepWriter(l, m)
	}
	if o.Kind == op.RLock {
		l.readers = true
	}
	if len(a.held) >= maxHeld {
		a.Many = true
	}
	a.held = append(a.held, got)
	l.owners = append(l.owners, a)
	l.Add(&got.Acquisition)
}

// isExcluded reports whether a task is in a section that excludes one of that kind, which begins.
// The end of that section would have been reported before, so a new lock has overwritten this one.
func (l *lockable) isExcluded(kind op.Kind) bool {
	if kind == op.Lock || len(l.owners) != 1 { // a writer is alone
		return kind == op.Lock && len(l.owners) > 0
	}
	return l.owners[0].inSection(l, op.Lock) >= 0
}

// release ends the task's section of that kind, or that of another task if it is in none.
func (d *Detector) release(a *actor, o *op.Op, kind op.Kind) {
	l := d.locks.At(o.Object)
	if l == nil {
		return
	}
	owner, at := a, a.inSection(l, kind)
	for i := len(l.owners) - 1; at < 0 && i >= 0; i-- {
		owner = l.owners[i]
		at = owner.inSection(l, kind)
	}
	if at < 0 {
		return // acquired before it was watched
	}
	if h := &owner.held[at]; h.isOfMutex() {
		owner.freed = *h
	}
	s := reorder.Span{Acquisition: owner.held[at].Acquisition, By: a.task, ByK: o.K, ByFree: o.Free}
	owner.held = slices.Delete(owner.held, at, at+1)
	i := slices.Index(l.owners, owner)
	l.owners = slices.Delete(l.owners, i, i+1)
	l.serves = l.serves || owner == a
	if owner != a {
		l.cross(s.Seq)
		d.handedOver(&s, o)
	}
	owner.End(&s, len(owner.held) > 0)
	if owner.ended && len(owner.held) == 0 {
		d.end(owner)
	}
}

// inSection returns the index in held of the section of l that the task is in, and -1 if there is
// none.
func (a *actor) inSection(l *lockable, kind op.Kind) int {
	for i := len(a.held) - 1; i >= 0; i-- {
		if a.held[i].lock == l && a.held[i].Kind == kind {
			return i
		}
	}
	return -1
}

// isInSectionOf reports whether the task is in a section of l.
func (a *actor) isInSectionOf(l *lockable) bool {
	return slices.ContainsFunc(a.held, func(h acquisition) bool { return h.lock == l })
}
