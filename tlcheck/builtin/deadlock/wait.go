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
// That the section needs the other task's acquisition cannot be told from the order alone: a load
// that saw another task's store comes after it too, and waits for nothing. So the way from the
// section to the acquisition is followed from one wait to the next, each of which was ended by a
// task that had come through the next one (chain). At the end of the run, when all who ever used
// the channels are known, each wait is judged by what channels and WaitGroups do and not by who
// happened to end it: nobody who could end it may be left (stays).

// side is one of the two sides of a channel.
type side uint8

const (
	sends side = iota // or closes
	receives
)

// medium is a channel, a WaitGroup, or a Once, which is closed when its function has been run.
type medium struct {
	object  op.Object
	made    bool         // seen; else the capacity is not known
	cap     int64        // of a channel
	maker   mark         // who has made it, unless k is 0
	free    *clock.Clock // what the maker knew
	outside bool         // a timer, the runtime or the outside world may use it
	users   [2][]usage
	many    [2]bool // some are missing in users
	slots   []slot  // of the buffer
	closed  end

	counts []count // operations that change the counter of a WaitGroup, or how full the buffer is, in order
	lost   bool    // some are missing
	doers  []end   // who did Done last, one of each task
}

// usage is when a task used one side of a channel.
type usage struct {
	task op.Task
	last int32
}

// slot is who sent the last value through a slot of a buffer, and who received the last one.
type slot struct {
	sent, received end
	free           *clock.Clock // what the sender knew
}

// end is an operation that ended a wait.
type end struct {
	actor *actor
	k     int32
	after int32 // of a Once: before that operation of the actor another one would have run the function
}

// mark names an operation; k is 0 if there is none.
type mark struct {
	task op.Task
	k    int32
}

// count is a change of a number.
type count struct {
	task op.Task
	k    int32
	n    int64
}

// wish is a case of a select statement, or what a task waits for outside of one.
type wish struct {
	on   *medium
	side side // of the task
}

// wait is what a task waited for at a moment, and what ended it. Most wait for one thing.
type wait struct {
	on  wish
	by  end
	all *alternatives // nil: there are none

	full mark // the send that filled the slot which the task needs
	free *clock.Clock
}

// alternatives are what there is besides in a select statement, or to bring the counter of a
// WaitGroup to zero.
type alternatives struct {
	wishes  []wish // all of them
	counted int    // operations on the counter before
	by      []end  // all, any of which was needed
}

func (w *wait) waits() bool { return w.on.on != nil }

// wishes returns all, one of which must come true.
func (w *wait) wishes() []wish {
	if w.all != nil {
		return w.all.wishes
	}
	return []wish{w.on}
}

func (d *Detector) medium(o op.Object) *medium {
	m := d.media.At(o)
	if m == nil {
		m = &medium{object: o}
		d.media.Set(o, m)
	}
	return m
}

// outside takes an operation of the runtime or the outside world.
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
		m.maker, m.free = mark{o.Task, o.K}, o.Free
	}
	if o.Capacity() > 0 && o.Capacity() <= maxTrackedCap {
		m.slots = make([]slot, o.Capacity())
	}
	d.media.Set(o.Object, m)
}

// communicate takes an operation of a on a channel or WaitGroup.
func (d *Detector) communicate(a *actor, o *op.Op) {
	switch o.Kind {
	case op.MakeChan:
		d.make(o)
	case op.Select:
		a.cases, a.mayWait = d.wishes(a, o.Cases), !o.HasDefault()
		if o.TakesDefault() {
			a.cases = a.cases[:0]
		}
		return
	case op.Arm, op.Outside:
		if o.Object != 0 {
			d.medium(o.Object).outside = true
		}
	case op.Add, op.Done, op.Wait:
		d.count(a, o)
	case op.Once:
		d.once(a, o)
	case op.Handoff:
		d.handoff(a, o)
	case op.Send, op.Recv, op.Close, op.RecvClosed:
		d.transfer(a, o)
	}
	a.cases, a.mayWait = a.cases[:0], false
}

// wishes returns what a waits for in a select statement.
func (d *Detector) wishes(a *actor, cases []op.Case) []wish {
	to := a.cases[:0]
	for _, c := range cases {
		if c.Object == 0 {
			continue // never ready
		}
		w := wish{on: d.medium(c.Object), side: receives}
		if c.Send {
			w.side = sends
		} else if l := d.locks.At(c.Object); l != nil && a.inSection(l, op.Send) < 0 {
			l.none = true
		}
		to = append(to, w)
	}
	return to
}

// used notes that a task uses a side of a channel.
func (m *medium) used(s side, t op.Task, k int32) {
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
	return slices.ContainsFunc(slices.Concat(m.users[sends], m.users[receives]), func(u usage) bool { return u.task == t })
}

func (d *Detector) handoff(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	m.used(sends, a.task, o.K)
	if o.Other == op.NoTask {
		m.outside = true
		return
	}
	b := d.actor(o.Other)
	b.Step(o.OtherK, true)
	b.waits = nil
	m.used(receives, b.task, o.OtherK)
	// Both moments are made from what was so before.
	to := acquisition{Acquisition: reorder.Acquisition{
		Free: o.OtherBefore, Data: o.OtherBeforeData, Task: b.task, K: o.OtherK, At: o.OtherAt, Kind: op.Recv,
	}}
	d.waited(a, before(o, op.Send), wait{on: wish{m, sends}, by: end{actor: b, k: o.OtherK}}, o.InCase)
	d.waited(b, to, wait{on: wish{m, receives}, by: end{actor: a, k: o.K}}, false)
	b.cases, b.mayWait = b.cases[:0], false
}

func (d *Detector) transfer(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	s := sends
	if o.Kind == op.Recv || o.Kind == op.RecvClosed {
		s = receives
	}
	m.used(s, a.task, o.K)
	w := wait{on: wish{m, s}}
	kind := op.Send
	if s == receives {
		kind = op.Recv
	}
	switch {
	case o.Kind == op.Close:
		m.closed = end{actor: a, k: o.K}
		return
	case o.Kind == op.RecvClosed:
		w.by = m.closed
	case o.Slot() < 0 || o.Slot() >= int64(len(m.slots)):
	default:
		w.by, w.full, w.free = m.slots[o.Slot()].pass(s, a, o)
		m.count(a.task, o.K, 1-2*int64(s))
	}
	if o.Locking {
		d.locking(a, o)
		return
	}
	if s == receives {
		d.noLock(a, o)
	}
	d.waited(a, before(o, kind), w, o.InCase)
}

// pass notes a transfer, and returns the one that made it possible; of a send also the one for
// which it had not been possible, and what that knew.
func (s *slot) pass(side side, a *actor, o *op.Op) (by end, full mark, free *clock.Clock) {
	if side == receives {
		by, s.received = s.sent, end{actor: a, k: o.K}
		return by, mark{}, nil
	}
	by, free = s.received, s.free
	if s.sent.actor != nil {
		full = mark{s.sent.actor.task, s.sent.k}
	}
	s.sent, s.free = end{actor: a, k: o.K}, o.Free
	return by, full, free
}

// count notes a change.
func (m *medium) count(t op.Task, k int32, n int64) {
	switch {
	case m.lost:
	case len(m.counts) == maxCountOps:
		m.lost, m.counts = true, nil
	default:
		if m.counts == nil {
			m.counts = make([]count, 0, 2) // up and down
		}
		m.counts = append(m.counts, count{t, k, n})
	}
}

// locking takes an operation on a channel that is used as a lock so far.
func (d *Detector) locking(a *actor, o *op.Op) {
	if o.Kind == op.Send {
		d.acquire(a, o, !o.InCase)
	} else {
		d.release(a, o, op.Send)
	}
}

// noLock takes the first operation on such a channel that is none of a lock: it receives what
// another task sent.
func (d *Detector) noLock(a *actor, o *op.Op) {
	if l := d.locks.At(o.Object); l != nil && !l.none {
		l.none = true
		d.release(a, o, op.Send)
	}
}

func (d *Detector) count(a *actor, o *op.Op) {
	m := d.medium(o.Object)
	if o.Kind == op.Wait {
		d.waitedForCounter(a, o, m)
		return
	}
	if o.Kind == op.Done {
		i := slices.IndexFunc(m.doers, func(e end) bool { return e.actor == a })
		switch {
		case i >= 0:
			m.doers[i].k = o.K
		case len(m.doers) < maxUsers:
			m.doers = append(m.doers, end{actor: a, k: o.K})
		default:
			copy(m.doers, m.doers[1:])
			m.doers[maxUsers-1] = end{actor: a, k: o.K}
		}
	}
	m.count(a.task, o.K, o.Delta())
}

func (d *Detector) waitedForCounter(a *actor, o *op.Op, m *medium) {
	var by []end
	for _, e := range m.doers {
		if e.actor != a && e.k > o.Before.At(int32(e.actor.task)) && e.k <= o.Free.At(int32(e.actor.task)) {
			by = append(by, e)
		}
	}
	if len(by) > 0 {
		w := wait{on: wish{on: m}, all: &alternatives{counted: len(m.counts), by: by}}
		d.moment(a, before(o, op.Wait), w)
	}
}

// waited notes that a task may have waited, if it was in no select statement that decides at once.
func (d *Detector) waited(a *actor, at acquisition, w wait, inCase bool) {
	if w.by.actor == nil {
		return
	}
	if inSelect := slices.Contains(a.cases, w.on); inSelect || inCase {
		if !inSelect || !a.mayWait {
			return
		}
		if len(a.cases) > 1 {
			w.all = &alternatives{wishes: slices.Clone(a.cases), by: []end{w.by}}
		}
	}
	d.moment(a, at, w)
}

func (d *Detector) moment(a *actor, at acquisition, w wait) {
	if d.sections.IsBlind() || a.Many {
		return
	}
	m := a.remember()
	m.acquisition, m.started, m.wait = at, a.started, w
	if len(a.held) > 0 {
		m.hold = a.holding()
		d.chain(instance{*m})
	}
}

// chain goes on from a task that waits: to where those who ended that may have waited before, later
// than it knows of.
func (d *Detector) chain(path instance) {
	m := path.want()
	by := []end{m.wait.by}
	if m.wait.all != nil {
		by = m.wait.all.by
	}
	for _, e := range by {
		if e.actor == nil {
			continue // see unlink
		}
		for i := range e.actor.moments {
			next := &e.actor.moments[i]
			if next.K >= e.k || next.K <= e.after || next.K <= m.Free.At(int32(next.Task)) || !path.fits(instance{*next}) {
				continue
			}
			switch longer := append(path[:len(path):len(path)], *next); {
			case next.lock != nil:
				d.needed(longer)
			case len(path) < maxChain:
				d.chain(longer)
			}
		}
	}
}

// unlink lets go of tasks that have ended before a, which ends, where they lead back to others that
// had ended, and so on. Chains are no longer; without it every task that ever ended another's wait
// would stay.
func (a *actor) unlink() {
	for i := range a.moments {
		w := &a.moments[i].wait
		a.unlinkFrom(&w.by)
		for j := 0; w.all != nil && j < len(w.all.by); j++ {
			a.unlinkFrom(&w.all.by[j])
		}
	}
}

func (a *actor) unlinkFrom(e *end) {
	switch {
	case e.actor == nil || e.actor == a || !e.actor.ended:
	case e.actor.links == maxChain:
		*e = end{}
	default:
		a.links = max(a.links, e.actor.links+1)
	}
}

// needed notes that the holder, through others, needs what the last one wants.
func (d *Detector) needed(i instance) {
	if o := d.order(i.holder().holds(), i[:len(i)-1], &i.want().acquisition); o != nil && o.due(i.holder().Task) {
		d.add(o, i)
	}
}

// stays reports whether nobody can end the wait of m once all of the parties wait and the others
// have gone as far as they can, from an ideal on. It is asked at the end of the run.
func (m *moment) stays(parties []moment, ideal *clock.Clock) bool {
	done := func(t op.Task, k int32) bool { return ideal.At(int32(t)) >= k }
	if m.Kind == op.Wait {
		return m.wait.on.on.stays(m.wait.all.counted, done)
	}
	for _, w := range m.wait.wishes() {
		c := w.on
		other := sends + receives - w.side
		if !c.made || c.outside || c.many[other] || c.closed.actor != nil && done(c.closed.actor.task, c.closed.k) {
			return false
		}
		if slices.ContainsFunc(parties, func(p moment) bool {
			return p.wait.waits() && slices.Contains(p.wait.wishes(), wish{c, other})
		}) {
			return false // the two meet
		}
		for _, u := range c.users[other] {
			if !done(u.task, u.last) && !slices.ContainsFunc(parties, func(p moment) bool { return p.Task == u.task }) {
				return false
			}
		}
		if c.cap > 0 && !c.stuck(w.side, done) {
			return false
		}
	}
	return true
}

// stuck reports whether the buffer is full, or empty for who receives. Others on the same side
// cannot help then. If too much was sent to know, it is so where there is one task on each side.
func (m *medium) stuck(side side, done func(op.Task, int32) bool) bool {
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

// stays reports whether the counter cannot be zero: everything that was added before the wait ended
// is in the ideal, and one of the parties has still to take its share away.
func (m *medium) stays(counted int, done func(op.Task, int32) bool) bool {
	if m.lost || m.outside {
		return false
	}
	for _, c := range m.counts[:counted] {
		if c.n > 0 && !done(c.task, c.k) {
			return false
		}
	}
	return true
}
