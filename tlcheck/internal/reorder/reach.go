package reorder

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Stand is where a task is about to do something.
type Stand struct {
	Task op.Task
	K    int32        // the operation
	Free *clock.Clock // what the task knows before it
	Also []Known      // what else has happened

	Held  []Acquisition // of the sections in which it is
	Since Known         // its first one since it held nothing
	Left  []Span        // that it has left since then
}

// Known is an operation, with what its task knew of others.
type Known struct {
	Task op.Task
	K    int32
	Free *clock.Clock
}

// Reach answers whether some schedule leads each of some tasks, all different, to its stand. It
// needs the holders that have not ended, and the acquisitions whose sections are open in the run.
// Yes is certain; no may mean that too little is remembered. What is read there may differ from
// the run.
//
// Let H be the sections in which the tasks stand, and I the least ideal of Free that has all that
// comes before the stands. Each operation of I has a level: 0, or the highest one of those to
// which what it knows was raised. The schedule is I by levels, each in the order of the run.
// Nothing in Free is violated, as no operation is on a lower level than one that it knows of.
// Tasks come in turn at first, if that leads nowhere all in the order of the run.
//
// Two sections that exclude each other do not overlap in the schedule if one of them ends below
// the level on which the other one begins, or on the same one and came first in the run. So
//
//   - a section of H is raised above those that came later in the run and exclude it;
//   - a section that one of the tasks has left since it held nothing is raised to the level where
//     it ends, if another one would come in between;
//   - a section outside of H that is open in I is closed, by making I larger, if another one may
//     come after it in the schedule.
//
// It fails where a task would go beyond its stand, or sections of H would each be above the other
// one. This is optimistic reversal (Shi, Mathur, Pavlogiannis, "Optimistic Prediction of
// Synchronization-Reversal Data Races", ICSE 2024) in an order without data: levels are the
// longest paths in their graph, and need no operation but those that begin and end sections.
//
// Time: a join of clocks for each section that is added to I, and a look at all tasks with known
// sections for each round of additions.
func (s *Summary) Reach(
	stands []Stand, holders iter.Seq[*Holder], open iter.Seq[*Acquisition],
) *Reach {
	r := &Reach{summary: s, stands: stands, holders: holders, open: open}
	for _, levels := range [...]Levels{r.inTurn(), nil} {
		r.Ideal, r.more, r.Levels = nil, r.more[:0], levels
		if r.found = !s.blind && r.initIdeal() && r.settle() && r.isWhole(); r.found {
			break
		}
	}
	return r
}

// inTurn has each task do what it has done since it held nothing after what those before it have.
// Such a schedule is the easiest to follow.
func (r *Reach) inTurn() Levels {
	var levels Levels
	for i := range r.stands {
		if x := &r.stands[i]; len(x.Held) > 0 {
			levels = append(levels, raise{x.Task, x.Since.K, i + 1})
		}
	}
	return levels
}

// Reach is the answer to whether tasks can come to their stands.
type Reach struct {
	Ideal  *clock.Clock // in which all stand there
	Levels Levels       // of a schedule of it

	summary *Summary
	stands  []Stand
	holders iter.Seq[*Holder]
	open    iter.Seq[*Acquisition]
	more    []*clock.Clock // added to the ideal beyond what comes before the stands
	joins   int            // of clocks
	looks   int            // at tasks with known sections
	found   bool
}

// Found reports whether they can.
func (r *Reach) Found() bool { return r.found }

// Levels are the operations that are raised. All others are on level 0.
type Levels []raise

// raise puts an operation, and all that knows of it, on a level or above.
type raise struct {
	task  op.Task
	k     int32
	level int
}

// level returns the level of operation k of t: the highest one to which it, or an operation that it
// comes after, is raised. free is the clock of what t knows at the operation.
func (l Levels) level(t op.Task, k int32, free *clock.Clock) int {
	level := 0
	for _, x := range l {
		own := t == x.task && k >= x.k
		if x.level > level && (own || t != x.task && free.At(int32(x.task)) >= x.k) {
			level = x.level
		}
	}
	return level
}

// Of returns the level of an acquisition.
func (l Levels) Of(a *Acquisition) int { return l.level(a.Task, a.K, a.Free) }

func (l Levels) ofEnd(s *Span) int { return l.level(s.By, s.ByK, s.ByFree) }

// Steps is the cost: one step is a join of clocks, or a few looks at sections.
func (r *Reach) Steps() int { return len(r.stands) + r.joins/4 + r.looks/64 }

// add adds operation k of t to I, with all operations that t knows there, which free has. Adding is
// cheap, as free mostly shares memory with the clock that was added before.
func (r *Reach) add(t op.Task, k int32, free *clock.Clock) {
	var last *clock.Clock
	if n := len(r.more); n > 0 {
		last = r.more[n-1]
	}
	r.Ideal = r.summary.clocks.Learn(r.Ideal, free, last, int32(op.NoTask)).With(int32(t), k)
	r.more = append(r.more, free)
	r.joins++
}

// initIdeal makes I. It fails if I has what one of the tasks is about to do.
func (r *Reach) initIdeal() bool {
	for i := range r.stands {
		x := &r.stands[i]
		r.Ideal = clock.Join(r.Ideal, x.Free).With(int32(x.Task), x.K-1)
		for _, k := range x.Also {
			if !r.has(k.Task, k.K) {
				r.add(k.Task, k.K, k.Free)
			}
		}
	}
	return r.allPending()
}

// allPending reports whether all that the tasks are about to do is outside of I.
func (r *Reach) allPending() bool {
	return !slices.ContainsFunc(r.stands, func(x Stand) bool { return r.has(x.Task, x.K) })
}

func (r *Reach) has(t op.Task, k int32) bool { return r.Ideal.At(int32(t)) >= k }

// standOf returns the stand of a task, nil if it has none.
func (r *Reach) standOf(t op.Task) *Stand {
	for i := range r.stands {
		if r.stands[i].Task == t {
			return &r.stands[i]
		}
	}
	return nil
}

// settle makes I larger and raises sections until neither must be done any more.
func (r *Reach) settle() bool {
	for {
		more, raised := len(r.more), len(r.Levels)
		if !r.close() || !r.raiseLevels() {
			return false
		}
		if len(r.more) == more && len(r.Levels) == raised {
			return true
		}
	}
}

// close adds the ends of open sections that others come after.
func (r *Reach) close() bool {
	for more := -1; len(r.more) > more; {
		more = len(r.more)
		for h := range r.openHolders() {
			r.looks++
			if !r.closeOf(h) {
				return false
			}
		}
		for a := range r.open {
			r.looks++
			if r.has(a.Task, a.K) && !r.standOf(a.Task).isInSection(a) && r.mustEnd(a) {
				return false
			}
		}
	}
	return true
}

// closeOf is close for the sections that one task has left in the run.
func (r *Reach) closeOf(h *Holder) bool {
	t := h.spans[0].Task
	party := r.standOf(t)
	if r.has(t, 1) && !r.has(t, h.cut) && (party == nil || h.crossed) {
		return false // in a section that is not remembered, perhaps
	}
	for i := range h.spans {
		s := &h.spans[i]
		isOpen := r.has(t, s.K) && !r.has(s.By, s.ByK) && !party.isInSection(&s.Acquisition)
		if !isOpen || !r.mustEnd(&s.Acquisition) {
			continue
		}
		if r.add(s.By, s.ByK, s.ByFree); !r.allPending() {
			return false
		}
	}
	return true
}

// openHolders yields the tasks that may have left sections which are open in an ideal.
func (r *Reach) openHolders() iter.Seq[*Holder] {
	return func(yield func(*Holder) bool) {
		for _, h := range r.summary.retired {
			if !yield(h) {
				return
			}
		}
		for h := range r.holders {
			if len(h.spans) > 0 && !yield(h) {
				return
			}
		}
	}
}

// mustEnd reports whether a section that excludes s, which is open in I, may come after it.
func (r *Reach) mustEnd(s *Acquisition) bool {
	for i := range r.stands {
		if slices.ContainsFunc(r.stands[i].Held, func(h Acquisition) bool {
			return h.Seq != s.Seq && h.Excludes(s)
		}) {
			return true
		}
	}
	level := r.Levels.Of(s)
	return r.hasRival(s, func(x rival) bool { return !x.endsBefore(level, s.Seq) })
}

// raiseLevels raises what must come later. It fails if that would go on for ever.
func (r *Reach) raiseLevels() bool {
	top := len(r.stands)
	for i := range r.stands {
		x := &r.stands[i]
		top += len(x.Held)
		for j := range x.Held {
			h := &x.Held[j]
			r.hasRival(h, func(other rival) bool {
				level := other.end
				if other.seq > h.Seq {
					level++
				}
				r.raiseTo(h, level)
				return false
			})
		}
		for j := range x.Left {
			z := &x.Left[j]
			begin, end := r.Levels.Of(&z.Acquisition), r.Levels.ofEnd(z)
			if begin < end && r.hasRivalAmid(z, begin, end) {
				r.raiseTo(&z.Acquisition, end)
			}
		}
	}
	return !slices.ContainsFunc(r.Levels, func(x raise) bool { return x.level > top })
}

func (r *Reach) raiseTo(a *Acquisition, level int) {
	if r.Levels.Of(a) < level {
		r.Levels = append(r.Levels, raise{a.Task, a.K, level})
	}
}

// isWhole reports whether nothing comes amid sections of other tasks, which may begin and end on
// different levels if they know of what is raised.
func (r *Reach) isWhole() bool {
	known := r.unknownLevel() == 0 // so no section of other tasks is raised, nor its end
	if slices.ContainsFunc(r.summary.forgotten, func(f forgottenTask) bool {
		return r.has(f.task, 1) && !(known && r.has(f.task, f.k))
	}) {
		return false
	}
	if known {
		return true
	}
	for h := range r.openHolders() {
		r.looks++
		first := &h.spans[0].Acquisition
		if h.cut > 0 && r.has(first.Task, 1) && r.levelBefore(first) > 0 {
			return false
		}
		if slices.ContainsFunc(h.spans, r.isBroken) {
			return false
		}
	}
	return true
}

// isBroken reports whether another section may come amid one that no task has in H, nor has left
// since it held nothing.
func (r *Reach) isBroken(s Span) bool {
	if !r.has(s.Task, s.K) || !r.has(s.By, s.ByK) || r.isOfParty(&s.Acquisition) {
		return false
	}
	begin, end := r.Levels.Of(&s.Acquisition), r.Levels.ofEnd(&s)
	return begin < end && (r.isHeldBelow(&s, end) || r.hasRivalAmid(&s, begin, end))
}

// isHeldBelow reports whether a section of H that excludes s does not come after its end.
func (r *Reach) isHeldBelow(s *Span, end int) bool {
	for i := range r.stands {
		if slices.ContainsFunc(r.stands[i].Held, func(h Acquisition) bool {
			level := r.Levels.Of(&h)
			return h.Excludes(&s.Acquisition) && (level < end || level == end && h.Seq < s.Seq)
		}) {
			return true
		}
	}
	return false
}

// isOfParty reports whether a is in H, or one of the tasks has left its section since it held
// nothing.
func (r *Reach) isOfParty(a *Acquisition) bool {
	x := r.standOf(a.Task)
	return x != nil && len(x.Held) > 0 && a.K >= x.Since.K
}

// levelBefore returns the level of what a task has done up to an acquisition. For one of the tasks
// that leaves out what it has done since it held nothing.
func (r *Reach) levelBefore(a *Acquisition) int {
	if r.isOfParty(a) {
		since := &r.standOf(a.Task).Since
		return r.Levels.level(since.Task, since.K-1, since.Free)
	}
	return r.Levels.Of(a)
}

// unknownLevel returns the highest level that is known at a stand, or where a section was added. It
// leaves out what a task has done since it held nothing, unless it has learnt something since then:
// perhaps from a task that knows of what it has done itself.
func (r *Reach) unknownLevel() int {
	level := 0
	for _, x := range r.Levels {
		knows := func(free *clock.Clock) bool { return free.At(int32(x.task)) >= x.k }
		mayKnow := func(at Stand) bool {
			if at.Task == x.task {
				return at.Free != at.Since.Free
			}
			return knows(at.Free)
		}
		if slices.ContainsFunc(r.more, knows) || slices.ContainsFunc(r.stands, mayKnow) {
			level = max(level, x.level)
		}
	}
	return level
}

// isInSection reports whether a task is in a section at its stand.
func (x *Stand) isInSection(a *Acquisition) bool {
	isIt := func(h Acquisition) bool { return h.Seq == a.Seq }
	return x != nil && slices.ContainsFunc(x.Held, isIt)
}

// rival is a section in I, but not in H, that excludes another one. It stands for older ones,
// too, if these are not remembered.
type rival struct {
	seq        int64
	begin, end int // levels
}

// endsBefore reports whether it ends before what begins on a level.
func (x rival) endsBefore(level int, seq int64) bool {
	return x.end < level || x.end == level && x.seq <= seq
}

// hasRival reports whether there may be a rival of s for which such is true.
func (r *Reach) hasRival(s *Acquisition, such func(rival) bool) bool {
	if s.Lock.lost > 0 && such(rival{s.Lock.lost, -1, r.unknownLevel()}) {
		return true
	}
	for i := range r.stands {
		if slices.ContainsFunc(r.stands[i].Left, func(z Span) bool {
			return z.Seq != s.Seq && z.Excludes(s) &&
				such(rival{z.Seq, r.Levels.Of(&z.Acquisition), r.Levels.ofEnd(&z)})
		}) {
			return true
		}
	}
	for i := range s.Lock.users {
		if r.hasRivalOf(s, &s.Lock.users[i], such) {
			return true
		}
	}
	return false
}

// hasRivalAmid reports whether there may be one that comes neither before a section on levels
// from begin to end nor after it.
func (r *Reach) hasRivalAmid(s *Span, begin, end int) bool {
	return r.hasRival(&s.Acquisition, func(x rival) bool {
		isAfter := x.begin > end || x.begin == end && x.seq > s.Seq
		return !x.endsBefore(begin, s.Seq) && !isAfter
	})
}

// hasRivalOf is hasRival for one user of the lock. It leaves out what the tasks have done since
// they held nothing.
func (r *Reach) hasRivalOf(s *Acquisition, u *user, such func(rival) bool) bool {
	for j := range u.latest {
		a := &u.latest[j]
		if a.Seq == s.Seq || !a.Excludes(s) || !r.has(a.Task, a.K) || r.isOfParty(a) {
			continue
		}
		if level := r.Levels.Of(a); such(rival{a.Seq, level, level}) {
			return true
		}
	}
	return u.older > 0 && such(rival{u.older, -1, min(r.levelBefore(u.second()), r.unknownLevel())})
}
