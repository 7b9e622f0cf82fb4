package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// reachable reports whether some schedule leads to where each of the tasks, all different, is at its
// moment. True is certain; false may mean that too little is remembered.
//
// Let H be the sections in which the tasks are at these moments, and I the least ideal of Free that has
// all that comes before the moments, and who waits to send the value that is in the way. Each operation
// of I has a level: 0, or the highest one of those to which what it knows was raised. The schedule is I
// by levels, each in the order of the run. Nothing in Free is violated, as no operation is on a lower
// level than one that it knows of.
//
// Two sections that exclude each other do not overlap in the schedule if one of them ends below the
// level on which the other one begins, or on the same one and came first in the run. So
//
//   - a section of H is raised above those that came later in the run and exclude it;
//   - a section that a task has left since it began to hold locks is raised to the level where it ends,
//     if another one would come in between;
//   - a section outside of H that is open in I is closed, by making I larger, if another one comes
//     after it in the schedule.
//
// Each of these is done only where it must be, and is undone by nothing that follows. It fails where a
// task would go on beyond its moment, or two sections of H would each be above the other one. That is
// the graph of optimistic reversal (Shi, Mathur, Pavlogiannis, ICSE 2024, section 4), of which levels
// are the longest paths, but for an order without data.
//
// Time: as many joins of clocks as sections are added to I, and a look at all tasks of which sections
// are known for each time that this makes others join it.
func (d *Detector) reachable(moments []moment) *reach {
	r := &reach{Detector: d, moments: moments}
	for _, levels := range [...]levels{r.inTurn(), nil} {
		r.ideal, r.more, r.levels = nil, r.more[:0], levels
		if r.ok = !d.blind && r.begin() && r.settle() && r.isWhole(); r.ok {
			break
		}
	}
	return r
}

// inTurn has each task do what it has done since it began to hold locks after what those before it have.
// Such a schedule is the easiest to follow.
func (r *reach) inTurn() levels {
	var l levels
	for i := range r.moments {
		if m := &r.moments[i]; len(m.holds()) > 0 {
			l = append(l, raise{m.task, m.hold.since.k, i + 1})
		}
	}
	return l
}

type reach struct {
	*Detector
	moments []moment
	ideal   *clock.Clock
	more    []*clock.Clock // what was added to the ideal besides what comes before the moments
	levels  levels
	joins   int // of clocks
	looks   int // at tasks of which sections are known
	ok      bool
}

// levels say what is raised. What is not is on level 0.
type levels []raise

// raise says that an operation, and with it all that knows of it, is on a level or above.
type raise struct {
	task  op.Task
	k     int32
	level int
}

// of returns the level of operation k of a task that knows free.
func (l levels) of(t op.Task, k int32, free *clock.Clock) int {
	level := 0
	for _, x := range l {
		if x.level > level && (t == x.task && k >= x.k || t != x.task && free.At(int32(x.task)) >= x.k) {
			level = x.level
		}
	}
	return level
}

func (l levels) ofBegin(a *acquisition) int { return l.of(a.task, a.k, a.free) }

func (l levels) ofEnd(s *section) int { return l.of(s.by, s.byK, s.byFree) }

// steps is what it took to tell, in steps of a search.
func (r *reach) steps() int { return len(r.moments) + r.joins/4 + r.looks/64 }

// add makes I larger by an operation of a task that knows free. That mostly shares memory with what was added before.
func (r *reach) add(t op.Task, k int32, free *clock.Clock) {
	var last *clock.Clock
	if n := len(r.more); n > 0 {
		last = r.more[n-1]
	}
	r.ideal = r.clocks.Learn(r.ideal, free, last, int32(op.NoTask)).With(int32(t), k)
	r.more = append(r.more, free)
	r.joins++
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

// settle makes I larger and raises sections until neither must be done any more.
func (r *reach) settle() bool {
	for {
		more, raised := len(r.more), len(r.levels)
		if !r.close() || !r.raise() {
			return false
		}
		if len(r.more) == more && len(r.levels) == raised {
			return true
		}
	}
}

// close adds the ends of open sections that others come after.
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
				if !r.has(s.task, s.k) || r.has(s.by, s.byK) || party.isHeld(s.seq) || !r.mustEnd(&s.acquisition) {
					continue
				}
				r.add(s.by, s.byK, s.byFree)
				if !r.pending() {
					return false
				}
				again = true
			}
			for i := range a.held {
				if h := &a.held[i]; r.has(h.task, h.k) && !party.isHeld(h.seq) && r.mustEnd(h) {
					return false
				}
			}
		}
	}
	return true
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

// mustEnd reports whether a section that excludes s, which is open in I, may come after it.
func (r *reach) mustEnd(s *acquisition) bool {
	for i := range r.moments {
		if slices.ContainsFunc(r.moments[i].holds(), func(h acquisition) bool { return h.seq != s.seq && h.excludes(s) }) {
			return true
		}
	}
	level := r.levels.ofBegin(s)
	return r.hasRival(s, func(x rival) bool { return !x.endsBefore(level, s.seq) })
}

// raise raises what must come later. It fails if there is no end to that.
func (r *reach) raise() bool {
	top := len(r.moments)
	for i := range r.moments {
		m := &r.moments[i]
		for j := range m.holds() {
			h := &m.holds()[j]
			top++
			r.hasRival(h, func(x rival) bool {
				level := x.end
				if x.seq > h.seq {
					level++
				}
				r.raiseTo(h, level)
				return false
			})
		}
		for j := range m.left() {
			z := &m.left()[j]
			begin, end := r.levels.ofBegin(&z.acquisition), r.levels.ofEnd(z)
			if begin < end && r.hasRival(&z.acquisition, func(x rival) bool { return x.isAmid(begin, end, z.seq) }) {
				r.raiseTo(&z.acquisition, end)
			}
		}
	}
	return !slices.ContainsFunc(r.levels, func(x raise) bool { return x.level > top })
}

func (r *reach) raiseTo(a *acquisition, level int) {
	if r.levels.ofBegin(a) < level {
		r.levels = append(r.levels, raise{a.task, a.k, level})
	}
}

// isWhole reports whether nothing comes amid other sections that begin and end on different levels, as far as those are known.
func (r *reach) isWhole() bool {
	if len(r.levels) == 0 {
		return !slices.ContainsFunc(r.forgotten, func(f forgottenTask) bool { return r.has(f.task, 1) && !r.has(f.task, f.k) })
	}
	unknown := r.unknownLevel()
	if slices.ContainsFunc(r.forgotten, func(f forgottenTask) bool { return r.has(f.task, 1) && (unknown > 0 || !r.has(f.task, f.k)) }) {
		return false
	}
	for a := range r.all() {
		r.looks++
		if a.cut > 0 && r.has(a.task, 1) && r.levelBefore(&a.sections[0].acquisition) > 0 {
			return false
		}
		for i := range a.sections {
			s := &a.sections[i]
			if !r.has(s.task, s.k) || !r.has(s.by, s.byK) || r.isOfParty(&s.acquisition) {
				continue
			}
			begin, end := r.levels.ofBegin(&s.acquisition), r.levels.ofEnd(s)
			if begin < end && (r.isHeldBelow(s, end) || r.hasRival(&s.acquisition, func(x rival) bool { return x.isAmid(begin, end, s.seq) })) {
				return false
			}
		}
	}
	return true
}

// isHeldBelow reports whether a section of H that excludes s does not come after its end.
func (r *reach) isHeldBelow(s *section, end int) bool {
	for i := range r.moments {
		if slices.ContainsFunc(r.moments[i].holds(), func(h acquisition) bool {
			level := r.levels.ofBegin(&h)
			return h.excludes(&s.acquisition) && (level < end || level == end && h.seq < s.seq)
		}) {
			return true
		}
	}
	return false
}

// isOfParty reports whether one of the tasks has acquired it since it began to hold locks.
func (r *reach) isOfParty(a *acquisition) bool {
	m := r.party(a.task)
	return m != nil && m.hold != nil && a.k >= m.hold.since.k
}

// levelBefore is the level of what the task has done up to an acquisition, and before it began to hold locks if it is one of the tasks.
func (r *reach) levelBefore(a *acquisition) int {
	if r.isOfParty(a) {
		since := &r.party(a.task).hold.since
		return r.levels.of(since.task, since.k-1, since.free)
	}
	return r.levels.ofBegin(a)
}

// unknownLevel is the highest level of what none of the tasks has done since it began to hold locks: it is known at a moment, or to who
// has ended a section. Who has learnt something since then may have learnt it from who knows of that.
func (r *reach) unknownLevel() int {
	level := 0
	for _, x := range r.levels {
		knows := func(free *clock.Clock) bool { return free.At(int32(x.task)) >= x.k }
		if x.level > level && (slices.ContainsFunc(r.more, knows) || slices.ContainsFunc(r.moments, func(m moment) bool {
			if m.task == x.task {
				return m.free != m.hold.since.free
			}
			return knows(m.free)
		})) {
			level = x.level
		}
	}
	return level
}

// isHeld reports whether that acquisition is held at the moment.
func (m *moment) isHeld(seq int64) bool {
	return m != nil && slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.seq == seq })
}

// left returns the sections that the task has left since it began to hold locks.
func (m *moment) left() []section {
	if m.hold == nil {
		return nil
	}
	return m.hold.inner
}

// rival is a section in I, but not in H, that excludes another one. Of those of which only the latest is known it may be any one.
type rival struct {
	seq        int64
	begin, end int // levels
}

// endsBefore reports whether it ends before what begins on a level.
func (x rival) endsBefore(level int, seq int64) bool {
	return x.end < level || x.end == level && x.seq <= seq
}

// isAmid reports whether it comes neither before a section between two levels nor after it.
func (x rival) isAmid(begin, end int, seq int64) bool {
	isAfter := x.begin > end || x.begin == end && x.seq > seq
	return !x.endsBefore(begin, seq) && !isAfter
}

// hasRival reports whether there may be such a rival of s.
func (r *reach) hasRival(s *acquisition, such func(rival) bool) bool {
	if s.lock.lost > 0 && such(rival{s.lock.lost, -1, r.unknownLevel()}) {
		return true
	}
	for i := range r.moments {
		if slices.ContainsFunc(r.moments[i].left(), func(z section) bool {
			return z.seq != s.seq && z.excludes(s) && such(rival{z.seq, r.levels.ofBegin(&z.acquisition), r.levels.ofEnd(&z)})
		}) {
			return true
		}
	}
	for i := range s.lock.users {
		if r.hasRivalOf(s, &s.lock.users[i], such) {
			return true
		}
	}
	return false
}

// hasRivalOf is hasRival of one user of the lock, but for what the tasks have done since they began to hold locks.
func (r *reach) hasRivalOf(s *acquisition, u *user, such func(rival) bool) bool {
	for j := range u.latest {
		a := &u.latest[j]
		if a.lock == nil || a.seq == s.seq || !excludes(a.kind, s.kind) || !r.has(a.task, a.k) || r.isOfParty(a) {
			continue
		}
		level := r.levels.ofBegin(a)
		if such(rival{a.seq, level, level}) {
			return true
		}
	}
	return u.older > 0 && such(rival{u.older, -1, min(r.levelBefore(&u.latest[1]), r.unknownLevel())})
}
