package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// acquisition is an operation that acquires a lock.
type acquisition struct {
	lock *lockable
	free *clock.Clock // what the task knew
	data *clock.Clock // also by reading
	seq  int64        // among all acquisitions of the run, in the order in which they happened
	task op.Task
	k    int32
	at   op.Place
	kind op.Kind

	alone bool // its task was in no section, and waited for the lock if somebody had it
}

// excludes reports whether the sections of a and b exclude each other.
func (a *acquisition) excludes(b *acquisition) bool {
	return a.lock == b.lock && excludes(a.kind, b.kind)
}

// isOpen reports whether the section that it begins has not been left.
func (a *acquisition) isOpen() bool {
	return slices.ContainsFunc(a.lock.owners, func(owner *actor) bool {
		return slices.ContainsFunc(owner.held, func(h acquisition) bool { return h.seq == a.seq })
	})
}

// section is an acquisition with its release.
type section struct {
	acquisition
	by     op.Task // who released it
	byK    int32
	byFree *clock.Clock
}

// actor is a task, as far as deadlocks are concerned.
type actor struct {
	task    op.Task
	started *birth // nil: it was not seen
	ended   bool

	moments []moment // the last maxMoments, as a ring
	oldest  int
	links   int // of the longest way back through moments to tasks that had ended before it; see unlink

	*progress
}

// progress is how far a task has come. Of one that has ended, and is in no section, nobody asks for it.
type progress struct {
	held  []acquisition // in the order in which they were acquired
	since acquisition   // the first since it held none
	inner []section     // that it has left since then
	many  bool          // some are missing in inner or held

	k   int32 // number of its last operation
	gap int32 // number of the last that was no lock operation

	// The last sections in which the task synchronised otherwise, or left such a section, or which another
	// task left. Only they can be open in an ideal that is made of what others know: clocks name
	// operations that hand on knowledge, which in Free lock operations do not, and ends of such sections.
	sections []section
	left     int32 // number of the last release among sections
	cut      int32 // number of the last release that is missing in sections
	crossed  bool  // another task has left a section of this one

	waits   *moment  // it is blocked, as far as is known
	blocked *moment  // where it was last, whose memory waits has
	room    []moment // empty: memory for the moments of the task that gets this one
	cases   []wish   // of the select statement that is being decided
	mayWait bool     // it has no default
}

// emptied returns no progress, with the memory of this one.
func (p *progress) emptied() progress {
	clear(p.held[:cap(p.held)])
	clear(p.inner[:cap(p.inner)])
	if p.blocked != nil {
		*p.blocked = moment{}
	}
	return progress{held: p.held[:0], inner: p.inner[:0], blocked: p.blocked, room: p.room}
}

// birth is a go statement, with that of the task that executed it.
type birth struct {
	acquisition
	child  op.Task
	parent *birth
	depth  int // of the parents known, below maxDepth
}

// forgottenTask has ended, and released its last section at k.
type forgottenTask struct {
	task op.Task
	k    int32
}

// step counts operation k; other is true if it is no lock operation. A number that is missing
// belongs to one which was not told.
func (a *actor) step(k int32, other bool) {
	if other || k != a.k+1 {
		a.gap = k
	}
	a.k = k
}

// settle leaves to a task that has ended as much memory as its moments need, of which others may ask as long as they know it.
func (a *actor) settle() {
	if n := len(a.moments); n < cap(a.moments) {
		a.room, a.moments = a.moments, append(make([]moment, 0, n), a.moments...)
		clear(a.room)
		a.room = a.room[:0]
	}
}

func (a *actor) lastSection() int32 {
	last := a.cut
	for i := range a.sections {
		last = max(last, a.sections[i].byK)
	}
	return last
}

// lockable is a Mutex, an RWMutex, or a channel that is used as a lock.
type lockable struct {
	object  op.Object
	readers bool     // somebody has acquired it by RLock, or waits for that
	none    bool     // a channel that is no lock after all
	owners  []*actor // who is in a section; who is so more than once is there as often

	// users are the tasks that acquired it last, and lost is the newest acquisition of others.
	users []user
	lost  int64

	first, wanted []*order // dependencies of which it is held, or wanted
	writers       []moment // acquisitions by Lock, for readers that come before and after
	writes        int

	// crossed are the acquisitions of sections that another task left; all of them if there are too many.
	crossed    []int64
	allCrossed bool
}

// user is a task that acquired a lock, with its last two acquisitions, the latest first.
type user struct {
	latest [2]acquisition
	older  int64 // the newest before these
}

// note remembers an acquisition in its lock.
func (l *lockable) note(a *acquisition) {
	for i := range l.users {
		if u := &l.users[i]; u.latest[0].task == a.task {
			u.older = u.latest[1].seq
			u.latest[1] = u.latest[0]
			u.latest[0] = *a
			return
		}
	}
	if len(l.users) < maxUsers {
		l.users = append(l.users, user{latest: [2]acquisition{*a}})
		return
	}
	oldest := 0
	for i := range l.users {
		if l.users[i].latest[0].seq < l.users[oldest].latest[0].seq {
			oldest = i
		}
	}
	l.lost = max(l.lost, l.users[oldest].latest[0].seq)
	l.users[oldest] = user{latest: [2]acquisition{*a}}
}

func (l *lockable) isCrossed(seq int64) bool { return l.allCrossed || slices.Contains(l.crossed, seq) }

// isHandedOver reports whether a task has ever left a section of another one.
func (l *lockable) isHandedOver() bool { return l.allCrossed || len(l.crossed) > 0 }

func (l *lockable) cross(seq int64) {
	if len(l.crossed) >= maxSections {
		l.allCrossed, l.crossed = true, nil
	}
	if !l.allCrossed {
		l.crossed = append(l.crossed, seq)
	}
}

// acquire begins a section; waits is false if the task would not have waited for it.
func (d *Detector) acquire(a *actor, o *op.Op, waits bool) {
	l := d.lock(o.Object)
	if o.Kind != op.Send && l.isExcluded(o.Kind) {
		d.free(o.Object)
		l = d.lock(o.Object)
	}
	got := acquisition{lock: l, free: o.Free, data: o.Data, seq: d.next(), task: a.task, k: o.K, at: o.At, kind: o.Kind, alone: waits && len(a.held) == 0}
	var hold *holding
	switch {
	case len(a.held) == 0:
		a.since, a.inner, a.many = got, a.inner[:0], false
	case waits && !d.blind:
		hold = d.nested(a, &got, o.Begin)
	}
	if waits && (len(a.held) == 0 || hold != nil) {
		m := a.remember()
		m.acquisition, m.begin, m.started, m.hold = got, o.Begin, a.started, hold
		d.writer(l, m)
	}
	if o.Kind == op.RLock {
		l.readers = true
	}
	if len(a.held) >= maxHeld {
		a.many = true
	}
	a.held = append(a.held, got)
	l.owners = append(l.owners, a)
	l.note(&got)
}

// isExcluded reports whether somebody is in a section that excludes one of that kind, which begins. As its end would have been
// told before, the lock has been overwritten by a new one.
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
	s := section{owner.held[at], a.task, o.K, o.Free}
	owner.held = slices.Delete(owner.held, at, at+1)
	i := slices.Index(l.owners, owner)
	l.owners = slices.Delete(l.owners, i, i+1)
	if owner != a {
		l.cross(s.seq)
		owner.crossed = true
		d.handedOver(&s.acquisition, o)
	}
	if owner != a || max(owner.gap, owner.left) > s.k {
		owner.leave(&s)
	}
	if len(owner.held) > 0 {
		if len(owner.inner) == maxInner {
			owner.many = true
		} else {
			owner.inner = append(owner.inner, s)
		}
	}
	if owner.ended && len(owner.held) == 0 {
		d.end(owner)
	}
}

// inSection returns the index in held of the section of l that the task is in, and -1 if there is none.
func (a *actor) inSection(l *lockable, kind op.Kind) int {
	for i := len(a.held) - 1; i >= 0; i-- {
		if a.held[i].lock == l && a.held[i].kind == kind {
			return i
		}
	}
	return -1
}

// owns reports whether the task is in a section of l.
func (a *actor) owns(l *lockable) bool {
	return slices.ContainsFunc(a.held, func(h acquisition) bool { return h.lock == l })
}

// leave remembers a section.
func (a *actor) leave(s *section) {
	if len(a.sections) == maxSections {
		a.cut = max(a.cut, a.sections[0].byK)
		copy(a.sections, a.sections[1:])
		a.sections = a.sections[:maxSections-1]
	}
	a.sections = append(a.sections, *s)
	a.left = a.k
}
