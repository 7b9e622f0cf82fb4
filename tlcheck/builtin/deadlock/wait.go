package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Channels, WaitGroups and Onces in deadlocks.
//
// A section cannot be left while its task waits on a channel for another task that wants the lock.
// The order alone does not show that the section needs the other task's acquisition: a load that
// saw another task's store comes after it too, and waits for nothing. So the way from the section
// to the acquisition is followed from one wait to the next: the task that ended one wait had come
// through the next one (extendChain). At the end of the run all users of the channels are known.
// Then each wait is judged by what channels and WaitGroups do, and not by the task that happened to
// end it: no task that could end it may be left (neverEnds).

// side is one of the two sides of a channel.
type side uint8

const (
	sends side = iota // or closes
	receives
)

// sideOf is the side of a task that does an operation on a channel.
func sideOf(kind op.Kind) side {
	if kind == op.Recv || kind == op.RecvClosed {
		return receives
	}
	return sends
}

// medium is a channel, a WaitGroup, or a Once, which is closed when its function has been run.
type medium struct {
	object  op.Object
	made    bool         // seen; else the capacity is not known
	cap     int64        // of a channel
	maker   operation    // made it, unless k is 0
	free    *clock.Clock // what the maker knew
	outside bool         // a timer, the runtime or the outside world may use it
	users   [2][]usage
	many    [2]bool // some are missing in users
	slots   []slot  // of the buffer
	closed  waker

	counts []count // operations that change the counter of a WaitGroup, or how full the buffer is, in order
	lost   bool    // some are missing
	doers  []waker // the last Done of each task
}

// usage is when a task used one side of a channel.
type usage struct {
	task op.Task
	last int32
}

// slot has the last send and the last receive through a slot of a buffer.
type slot struct {
	sent, received waker
	free           *clock.Clock // what the sender knew
}

// waker is an operation that ended a wait.
type waker struct {
	actor *actor
	k     int32
	after int32 // of a Once: before that operation of the actor another one would have run the function
}

// operation names an operation; k is 0 if there is none.
type operation struct {
	task op.Task
	k    int32
}

// count is a change of a number.
type count struct {
	task    op.Task
	k       int32
	n       int64
	started *goStatement // its task; nil: it was not seen
}

// target is a case of a select statement, or what a task waits for outside of one.
type target struct {
	on   *medium
	side side // of the task
}

// wait is what a task waited for at a moment, and what ended it. Most wait for one thing.
type wait struct {
	on  target
	by  waker
	all *alternatives // nil: there are none

	full operation // the send that filled the slot which the task needs
	free *clock.Clock
}

// alternatives are all cases of a select statement, or all operations that can bring the counter of
// a WaitGroup to zero.
type alternatives struct {
	targets []target // all of them
	counted int      // operations on the counter before
	by      []waker  // any of them was needed
}

func (w *wait) waits() bool { return w.on.on != nil }

// targets returns all that the task waits for. One must come true.
func (w *wait) targets() []target {
	if w.all != nil {
		return w.all.targets
	}
	return []target{w.on}
}

func (d *Detector) medium(o op.Object) *medium {
	m := d.media.At(o)
	if m == nil {
		m = &medium{object: o}
		d.media.Set(o, m)
	}
	return m
}

// outside notes an operation of the runtime or the outside world.
func (d *Detector) outside(o *op.Op) {
	switch o.Kind {
	case op.MakeChan:
		d.make(o)
	case op.Send, op.Recv, op.Close, op.RecvClosed, op.Add, op.Done:
		d.medium(o.Object).outside = true
	case op.Handoff:
		d.medium(o.Object).outside = true
		if o.Other != op.NoTask {
			r := d.actor(o.Other)
			r.waits, r.cases = nil, nil
			r.Step(o.OtherK, true)
		}
	}
}

func (d *Detector) make(o *op.Op) {
	m := &medium{object: o.Object, made: true, cap: o.Capacity()}
	if o.Task != op.NoTask {
		m.maker, m.free = operation{o.Task, o.K}, o.Free
	}
	if o.Capacity() > 0 && o.Capacity() <= maxTrackedCap {
		m.slots = make([]slot, o.Capacity())
	}
	d.media.Set(o.Object, m)
}

// communicate notes an operation of a on a channel or WaitGroup.
func (d *Detector) communicate(a *actor, o *op.Op) {
	switch o.Kind {
	case op.MakeChan:
		d.make(o)
	case op.Select:
		a.cases, a.mayWait = d.targetsOf(a, o.Cases), !o.HasDefault()
		if o.TakesDefault() {
			a.cases = a.cases[:0]
		}
		return
	case op.Arm, op.Outside:
		if o.Object != 0 {
			d.medium(o.Object).outside = true
		}
	case op.Add, op.Done, op.Wait:
		d.noteCounter(a, o)
	case op.Once:
		d.once(a, o)
	case op.Handoff:
		d.handoff(a, o)
	case op.Send, op.Recv, op.Close, op.RecvClosed:
		d.transfer(a, o)
	}
	a.cases, a.mayWait = a.cases[:0], false
}

// targetsOf returns what a waits for in a select statement.
func (d *Detector) targetsOf(a *actor, cases []op.Case) []target {
	to := a.cases[:0]
	for _, c := range cases {
		if c.Object == 0 {
			continue // never ready
		}
		w := target{d.medium(c.Object), sideOf(c.Kind())}
		if w.side == receives {
			d.noteWanted(a, c.Object)
		}
		to = append(to, w)
	}
	return to
}

// noteWanted notes that a task would receive from a channel. If that is a lock, it has its own
// element there. A task that polls may have shown that it is none before any element came.
func (d *Detector) noteWanted(a *actor, object op.Object) {
	l := d.locks.At(object)
	if l == nil {
		m := d.media.At(object)
		if m == nil || m.cap != 1 {
			return
		}
		l = d.lock(object)
	}
	l.none = l.none || a.inSection(l, op.Send) < 0
}

// noteUse notes that a task uses a side of a channel.
func (m *medium) noteUse(s side, t op.Task, k int32) {
	for i := range m.users[s] {
		if u := &m.users[s][i]; u.task == t {
			u.last = k
			return
		}
	}
	if len(m.users[s]) == maxUsers {
		m.many[s] = true
		return
	}
	m.users[s] = append(m.users[s], usage{t, k})
}

// isUsedBy reports whether a task has used the channel, as far as is known.
func (m *medium) isUsedBy(t op.Task) bool {
	uses := func(u usage) bool { return u.task == t }
	return slices.ContainsFunc(m.users[sends], uses) || slices.ContainsFunc(m.users[receives], uses)
}

func (d *Detector) handoff(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	m.noteUse(sends, a.task, o.K)
	if o.Other == op.NoTask {
		m.outside = true
		return
	}
	b := d.actor(o.Other)
	b.Step(o.OtherK, true)
	b.waits = nil
	m.noteUse(receives, b.task, o.OtherK)
	// Both moments are made from what was so before.
	to := acquisition{Acquisition: reorder.Acquisition{
		Free: o.OtherBefore, Data: o.OtherBeforeData, Task: b.task, K: o.OtherK, At: o.OtherAt, Kind: op.Recv,
	}}
	d.noteWait(a, acquisitionBefore(o, op.Send), wait{on: target{m, sends}, by: waker{actor: b, k: o.OtherK}}, o.InCase)
	d.noteWait(b, to, wait{on: target{m, receives}, by: waker{actor: a, k: o.K}}, false)
	b.cases, b.mayWait = b.cases[:0], false
}

func (d *Detector) transfer(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	s := sideOf(o.Kind)
	m.noteUse(s, a.task, o.K)
	w := wait{on: target{m, s}}
	kind := op.Send
	if s == receives {
		kind = op.Recv
	}
	switch {
	case o.Kind == op.Close:
		m.closed = waker{actor: a, k: o.K}
		return
	case o.Kind == op.RecvClosed:
		w.by = m.closed
	case o.Slot() < 0 || o.Slot() >= int64(len(m.slots)):
	default:
		w.by, w.full, w.free = m.slots[o.Slot()].noteTransfer(s, a, o)
		m.noteCount(a, o.K, 1-2*int64(s))
	}
	if o.Locking {
		d.noteLocking(a, o)
		return
	}
	if s == receives {
		d.noLock(a, o)
	}
	d.noteWait(a, acquisitionBefore(o, kind), w, o.InCase)
}

// noteTransfer notes a transfer, and returns the transfer that made it possible. For a send it also
// returns the send before, which had filled the slot, and what that knew.
func (s *slot) noteTransfer(side side, a *actor, o *op.Op) (by waker, full operation, free *clock.Clock) {
	if side == receives {
		by, s.received = s.sent, waker{actor: a, k: o.K}
		return by, operation{}, nil
	}
	by, free = s.received, s.free
	if s.sent.actor != nil {
		full = operation{s.sent.actor.task, s.sent.k}
	}
	s.sent, s.free = waker{actor: a, k: o.K}, o.Free
	return by, full, free
}

// noteCount notes a change.
func (m *medium) noteCount(a *actor, k int32, n int64) {
	switch {
	case m.lost:
	case len(m.counts) == maxCountOps:
		m.lost, m.counts = true, nil
	default:
		if m.counts == nil {
			m.counts = make([]count, 0, 2) // up and down
		}
		m.counts = append(m.counts, count{a.task, k, n, a.started})
	}
}

// noteLocking notes an operation on a channel that is used as a lock so far.
func (d *Detector) noteLocking(a *actor, o *op.Op) {
	if o.Kind == op.Send {
		d.acquire(a, o, !o.InCase)
	} else {
		d.release(a, o, op.Send)
	}
}

// noLock notes the first operation on such a channel that shows that it is no lock: a task receives
// what another one sent.
func (d *Detector) noLock(a *actor, o *op.Op) {
	if l := d.locks.At(o.Object); l != nil && !l.none {
		l.none = true
		d.release(a, o, op.Send)
	}
}

func (d *Detector) noteCounter(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	if o.Kind == op.Wait {
		d.waitedForCounter(a, o, m)
		return
	}
	if o.Kind == op.Done {
		i := slices.IndexFunc(m.doers, func(e waker) bool { return e.actor == a })
		switch {
		case i >= 0:
			m.doers[i].k = o.K
		case len(m.doers) < maxUsers:
			m.doers = append(m.doers, waker{actor: a, k: o.K})
		default:
			copy(m.doers, m.doers[1:])
			m.doers[maxUsers-1] = waker{actor: a, k: o.K}
		}
	}
	m.noteCount(a, o.K, o.Delta())
}

func (d *Detector) waitedForCounter(a *actor, o *op.Op, m *medium) {
	var by []waker
	for _, e := range m.doers {
		if e.actor != a && e.k > o.Before.At(int32(e.actor.task)) && e.k <= o.Free.At(int32(e.actor.task)) {
			by = append(by, e)
		}
	}
	if len(by) > 0 {
		w := wait{on: target{on: m}, all: &alternatives{counted: len(m.counts), by: by}}
		d.moment(a, acquisitionBefore(o, op.Wait), w)
	}
}

// noteWait notes that a task may have waited, if it was in no select statement that decides at
// once.
func (d *Detector) noteWait(a *actor, at acquisition, w wait, inCase bool) {
	if w.by.actor == nil {
		return
	}
	if inSelect := slices.Contains(a.cases, w.on); inSelect || inCase {
		if !inSelect || !a.mayWait {
			return
		}
		if len(a.cases) > 1 {
			w.all = &alternatives{targets: slices.Clone(a.cases), by: []waker{w.by}}
		}
	}
	d.moment(a, at, w)
}

func (d *Detector) moment(a *actor, at acquisition, w wait) {
	if d.sections.IsBlind() || a.Many {
		return
	}
	m := a.newMoment()
	m.acquisition, m.started, m.wait = at, a.started, w
	if len(a.held) > 0 {
		m.hold = a.copyHeld()
		d.extendChain(instance{*m})
	}
}

// extendChain extends a path of waits. Its last task waits for tasks that ended the wait in the
// run. The path goes on with each earlier wait of these that the last task does not know of.
func (d *Detector) extendChain(path instance) {
	m := path.waiter()
	by := []waker{m.wait.by}
	if m.wait.all != nil {
		by = m.wait.all.by
	}
	for _, e := range by {
		if e.actor == nil {
			continue // see unlink
		}
		for i := range e.actor.moments {
			next := &e.actor.moments[i]
			if next.K >= e.k || next.K <= e.after || next.K <= m.Free.At(int32(next.Task)) ||
				!path.isCompatible(instance{*next}) {
				continue
			}
			switch longer := append(path[:len(path):len(path)], *next); {
			case next.lock != nil:
				d.noteNeed(longer)
			case len(path) < maxChain:
				d.extendChain(longer)
			}
		}
	}
}

// unlink drops the tasks that ended before a, which ends, where they lead back to others that had
// ended, and so on for maxChain tasks. Chains are no longer. Otherwise every task that ever ended
// another's wait would stay in memory.
func (a *actor) unlink() {
	for i := range a.moments {
		w := &a.moments[i].wait
		a.unlinkFrom(&w.by)
		for j := 0; w.all != nil && j < len(w.all.by); j++ {
			a.unlinkFrom(&w.all.by[j])
		}
	}
}

func (a *actor) unlinkFrom(e *waker) {
	switch {
	case e.actor == nil || e.actor == a || !e.actor.ended:
	case e.actor.links == maxChain:
		*e = waker{}
	default:
		a.links = max(a.links, e.actor.links+1)
	}
}

// noteNeed notes that the holder, through others, needs what the last one wants.
func (d *Detector) noteNeed(i instance) {
	o := d.dependencyOf(i.holder().heldLocks(), i[:len(i)-1], &i.waiter().acquisition)
	if o != nil && o.isDue(i.holder().Task) {
		d.add(o, i)
	}
}

// neverEnds reports whether no task can end the wait of m once all of the parties wait and the
// others have gone as far as they can, from an ideal on. It is only used at the end of the run.
func (m *moment) neverEnds(parties []moment, ideal *clock.Clock) bool {
	done := func(t op.Task, k int32) bool { return ideal.At(int32(t)) >= k }
	if m.Kind == op.Wait {
		return m.wait.on.on.staysPositive(parties, m.wait.all.counted, done)
	}
	for _, w := range m.wait.targets() {
		c := w.on
		other := sends + receives - w.side
		if !c.made || c.outside || c.many[other] || c.closed.actor != nil && done(c.closed.actor.task, c.closed.k) {
			return false
		}
		if slices.ContainsFunc(parties, func(p moment) bool {
			return p.wait.waits() && slices.Contains(p.wait.targets(), target{c, other})
		}) {
			return false // the two meet
		}
		for _, u := range c.users[other] {
			if !done(u.task, u.last) && !slices.ContainsFunc(parties, func(p moment) bool { return p.Task == u.task }) {
				return false
			}
		}
		if c.cap > 0 && !c.isStuck(w.side, done) {
			return false
		}
	}
	return true
}

// isStuck reports whether the buffer is full, for a receiver empty. Others on the same side cannot
// help then. If too much was sent to know, it is so where there is one task on each side.
func (m *medium) isStuck(side side, done func(op.Task, int32) bool) bool {
	if m.lost {
		return !m.many[side] && len(m.users[sends]) == 1 && len(m.users[receives]) == 1
	}
	n := m.cap * int64(1-side)
	for _, c := range m.counts {
		if done(c.task, c.k) {
			n -= c.n
		}
	}
	return n == 0
}

// staysPositive reports whether the counter cannot be zero: it is not with all that is done,
// however far the tasks that are no parties go on with what they did before the wait ended. The
// parties do nothing more, and start no task.
func (m *medium) staysPositive(parties []moment, counted int, done func(op.Task, int32) bool) bool {
	if m.lost || m.outside {
		return false
	}
	isParty := func(t op.Task) bool {
		return slices.ContainsFunc(parties, func(p moment) bool { return p.Task == t })
	}
	type change struct{ now, least int64 }
	more := map[op.Task]change{}
	sum := int64(0)
	for _, c := range m.counts[:counted] {
		switch {
		case done(c.task, c.k):
			sum += c.n
		case !isParty(c.task) && !c.started.waitsFor(isParty, done):
			x := more[c.task]
			x.now += c.n
			more[c.task] = change{x.now, min(x.least, x.now)}
		}
	}
	for _, x := range more {
		sum += x.least
	}
	return sum > 0
}
