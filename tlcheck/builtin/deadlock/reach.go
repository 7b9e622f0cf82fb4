package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// reachable tells whether some schedule leads to where each of the tasks, all different, is at its
// moment, an ideal in which they are, and in which order the tasks come there. True is certain; false may
// mean that too little is remembered.
//
// Let H be the sections in which the tasks are at these moments, and I the least ideal that has all that
// comes before the moments, and who waits to send the value that is in the way. Let D be what in I is not
// before the first acquisition of a task since it last held nothing, for any of the tasks: an upper part
// of I. The schedule is I without D in the order of the run, then D. Nothing in Free is violated, as D is
// an upper part of I. Within D the order is that of the run; but if the tasks know nothing of each other's
// part of D, and nobody else has one (apart), it is one task's part after the other's.
//
// Two sections of a lock that exclude each other do not overlap in the schedule if
//
//  1. no section outside of H is open in I while there is another one in I that excludes it and came later
//     in the run, or is in H, or begins in D while the open one does not (I is made larger until that is so);
//  2. none begins before D and ends in D, if there is any other of its lock in I that excludes it;
//  3. in D, nothing that excludes a section of H comes after its begin.
//
// For: two sections that begin in the same part are in the order of the run, and the earlier one is closed
// before the later one begins, as in the run, unless it is open in I (1) or is closed only in D (2). If
// they begin in different parts, the first is closed by then, or open (1, 2). Sections of H begin in D, so
// that those of before are closed by then (1, 2), and those of D come before them (3). Where tasks are
// apart the sections of D that are not in H are closed within the part of their task.
//
// Time: as many joins of clocks as sections are added to I, and a look at all tasks of which sections are known for each
// time that this makes others join it.
func (d *Detector) reachable(moments []moment) *reach {
	r := &reach{Detector: d, moments: moments, rank: make([]int, len(moments))}
	if d.blind || !r.begin() || !r.close() || !r.unbroken() {
		return r
	}
	if r.apart() {
		r.ok = r.inTurn()
	} else {
		r.ok = r.heldLast()
	}
	return r
}

type reach struct {
	*Detector
	moments []moment
	ideal   *clock.Clock
	more    []*clock.Clock // what was added to the ideal besides what comes before the moments
	rank    []int          // of the parts of D of the tasks; 0 if they are in the order of the run
	looks   int            // at tasks of which sections are known
	ok      bool
}

// steps is what it took to tell, in steps of a search.
func (r *reach) steps() int { return len(r.moments) + len(r.more)/4 + r.looks/64 }

// add makes I larger by an operation of a task that knows free. That mostly shares memory with what was added before.
func (r *reach) add(t op.Task, k int32, free *clock.Clock) {
	var last *clock.Clock
	if n := len(r.more); n > 0 {
		last = r.more[n-1]
	}
	r.ideal = r.clocks.Learn(r.ideal, free, last, int32(op.NoTask)).With(int32(t), k)
	r.more = append(r.more, free)
}

// begin makes I; it fails if that contains what one of the tasks is about to do.
func (r *reach) begin() bool {
	for i := range r.moments {
		m := &r.moments[i]
		r.ideal = clock.Join(r.ideal, m.free).With(int32(m.task), m.k-1)
		for _, w := range m.wait.wishes() { // who uses a channel may know it by way of what a lock guards
			if w.on != nil && w.on.maker.k > 0 && !r.has(w.on.maker.task, w.on.maker.k) {
				r.add(w.on.maker.task, w.on.maker.k, w.on.free)
			}
		}
		if full := &m.wait.full; full.k > 0 {
			r.add(full.task, full.k, m.wait.free)
		}
	}
	return r.pending()
}

// pending reports whether all that the tasks are about to do is outside of I.
func (r *reach) pending() bool {
	return !slices.ContainsFunc(r.moments, func(m moment) bool { return r.has(m.task, m.k) })
}

func (r *reach) has(t op.Task, k int32) bool { return r.ideal.At(int32(t)) >= k }

// party returns the moment of the task; nil if it is none of the tasks.
func (r *reach) party(t op.Task) *moment {
	for i := range r.moments {
		if r.moments[i].task == t {
			return &r.moments[i]
		}
	}
	return nil
}

// last reports whether operation k of a task with knowledge free is in D.
func (r *reach) last(t op.Task, k int32, free *clock.Clock) bool {
	for i := range r.moments {
		m := &r.moments[i]
		if m.hold == nil {
			continue
		}
		since := &m.hold.since
		if t == m.task && k >= since.k || t != m.task && free.At(int32(m.task)) >= since.k {
			return true
		}
	}
	return false
}

// close makes I larger until condition 1 holds.
func (r *reach) close() bool {
	for again := true; again; {
		again = false
		for a := range r.all() {
			r.looks++
			party := r.party(a.task)
			if r.has(a.task, 1) && !r.has(a.task, a.cut) && (party == nil || a.crossed) {
				return false // in a section that is not remembered, perhaps
			}
			for i := range a.sections {
				s := &a.sections[i]
				if !r.has(s.task, s.k) || r.has(s.by, s.byK) || party.isHeld(s.seq) || !r.conflicts(&s.acquisition) {
					continue
				}
				r.add(s.by, s.byK, s.byFree)
				if !r.pending() {
					return false
				}
				again = true
			}
			for i := range a.held {
				if h := &a.held[i]; r.has(h.task, h.k) && !party.isHeld(h.seq) && r.conflicts(h) {
					return false
				}
			}
		}
	}
	return !slices.ContainsFunc(r.forgotten, func(f forgottenTask) bool { return r.has(f.task, 1) && !r.has(f.task, f.k) })
}

// all yields the tasks of which sections are known.
func (r *reach) all() func(yield func(*actor) bool) {
	return func(yield func(*actor) bool) {
		for _, a := range r.gone {
			if !yield(a) {
				return
			}
		}
		for _, a := range r.actors {
			if (len(a.sections) > 0 || len(a.held) > 0) && !yield(a) {
				return
			}
		}
	}
}

// conflicts reports whether there may be a section in I that excludes s, which is open in I, and begins
// later: in the run, in H, or in D if s does not.
func (r *reach) conflicts(s *acquisition) bool {
	for i := range r.moments {
		m := &r.moments[i]
		if slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.seq != s.seq && h.excludes(s) }) {
			return true
		}
	}
	if r.follows(s, anyway, anyone) {
		return true
	}
	if r.last(s.task, s.k, s.free) {
		return false
	}
	for i := range r.moments {
		if r.moments[i].hold.hasLeft(s.excludes) {
			return true
		}
	}
	first := *s
	first.seq = 0
	return !r.apart() && r.follows(&first, r.isLast, r.early)
}

func anyway(*acquisition) bool { return true }
func anyone(*moment) bool      { return true }

func (r *reach) isLast(a *acquisition) bool { return r.last(a.task, a.k, a.free) }

// unbroken is condition 2.
func (r *reach) unbroken() bool {
	for a := range r.all() {
		for i := range a.sections {
			s := &a.sections[i]
			if !r.has(s.task, s.k) || !r.has(s.by, s.byK) || r.last(s.task, s.k, s.free) || !r.last(s.by, s.byK, s.byFree) {
				continue
			}
			any := s.acquisition
			any.seq = 0 // not only later ones
			if r.conflicts(&any) {
				return false
			}
		}
	}
	return true
}

// heldLast is condition 3 if D is in the order of the run.
func (r *reach) heldLast() bool {
	for i := range r.moments {
		for _, h := range r.moments[i].holds() {
			for j := range r.moments {
				if j != i && r.moments[j].hold.hasLeft(func(a *acquisition) bool { return a.seq > h.seq && a.excludes(&h) }) {
					return false
				}
			}
			if r.follows(&h, r.isLast, r.early) {
				return false
			}
		}
	}
	return true
}

// hasLeft reports whether a task has left such a section since it began to hold locks.
func (h *holding) hasLeft(such func(*acquisition) bool) bool {
	for i := 0; h != nil && i < len(h.inner); i++ {
		if such(&h.inner[i]) {
			return true
		}
	}
	return false
}

// inTurn is condition 3 if tasks are apart: it ranks them so that whoever has left a section which excludes one
// that another holds comes before that one. It fails if there is no such order.
func (r *reach) inTurn() bool {
	for rank := 1; rank <= len(r.moments); rank++ {
		next := slices.IndexFunc(r.rank, func(rank int) bool { return rank == 0 })
		for ; next < len(r.moments) && (r.rank[next] != 0 || r.mustWait(next)); next++ {
		}
		if next == len(r.moments) {
			return false
		}
		r.rank[next] = rank
	}
	return true
}

// mustWait reports whether a task without rank has left a section that excludes one which task i holds.
func (r *reach) mustWait(i int) bool {
	for j := range r.moments {
		if j == i || r.rank[j] != 0 {
			continue
		}
		for _, h := range r.moments[i].holds() {
			if r.moments[j].hold.hasLeft(func(a *acquisition) bool { return a.excludes(&h) }) {
				return true
			}
		}
	}
	return false
}

// apart reports whether D has only operations of the tasks themselves, and none of it knows of another
// task's: nobody has heard of what another one did in D, or has learnt anything since its part of D began.
func (r *reach) apart() bool {
	for i := range r.moments {
		m := &r.moments[i]
		if m.hold == nil {
			continue
		}
		if m.free != m.hold.since.free {
			return false
		}
		knows := func(free *clock.Clock) bool { return free.At(int32(m.task)) >= m.hold.since.k }
		if slices.ContainsFunc(r.moments, func(o moment) bool { return o.task != m.task && knows(o.free) }) || slices.ContainsFunc(r.more, knows) {
			return false
		}
	}
	return true
}

// early reports whether operations of the task from before its part of D may be in D, by way of another
// task's. Its sections of later are in holding.inner.
func (r *reach) early(m *moment) bool {
	free := m.free
	if m.hold != nil {
		free = m.hold.since.free
	}
	for i := range r.moments {
		if p := &r.moments[i]; p.task != m.task && p.hold != nil && free.At(int32(p.task)) >= p.hold.since.k {
			return true
		}
	}
	return false
}

// isHeld reports whether that acquisition is held at the moment.
func (m *moment) isHeld(seq int64) bool {
	return m != nil && slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.seq == seq })
}

// follows reports whether there may be an acquisition in I but not in H that excludes s, came later and
// fulfils a condition which, once it holds of an acquisition of a task, holds of later ones. Of the
// tasks at the moments only some count.
func (r *reach) follows(s *acquisition, holds func(*acquisition) bool, counts func(*moment) bool) bool {
	if s.lock.lost > s.seq {
		return true
	}
	for i := range s.lock.users {
		u := &s.lock.users[i]
		m := r.party(u.latest[0].task)
		if (m == nil || counts(m)) && r.followedBy(s, u, m, holds) {
			return true
		}
	}
	return false
}

// followedBy is follows for one user of the lock.
func (r *reach) followedBy(s *acquisition, u *user, m *moment, holds func(*acquisition) bool) bool {
	for j := range u.latest {
		a := &u.latest[j]
		switch {
		case a.seq <= s.seq: // so are all before
			return false
		case !r.has(a.task, a.k), m.isHeld(a.seq), a.task == s.task && a.k == s.k:
		case !holds(a): // nor do those before
			return false
		case excludes(a.kind, s.kind):
			return true
		}
	}
	return u.older > s.seq
}
