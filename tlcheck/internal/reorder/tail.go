package reorder

import (
	"math"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Sections in the other order than in the run. A prefix in the order of the run cannot have a
// section that a point is in together with a later one that it excludes. But what the task has done
// since it began its section can come after all else in the prefix: as a tail. This is optimistic
// reversal (Shi, Mathur, Pavlogiannis, "Optimistic Prediction of Synchronization-Reversal Data
// Races", ICSE 2024) of the sections of one task.
//
// That each read sees what it saw follows from three conditions. Nothing but the tail knows of the
// tail, so what reads in the rest have seen is in the rest, in the order of the run. No read of the
// tail conflicts with a later write of the rest, and no write of the tail with one that the tail
// sees, so the last write before a read of the tail is the same one. And the tail has operations on
// locks alone: nothing is known of what another order of sends or timers does.
//
// Of the accesses of a task to the same memory a later one may stand for those before. So a
// conflict counts also if the earlier access comes after the point. And a write may stand for all
// accesses before it, of any task: a later access is reported to conflict with the write alone. In
// a rest without that write, it conflicts with the accesses for which the write stands. These may
// come before the write in Data, and then have no reported conflict. An access that was dropped may
// be one of the tail, if the tail begins before a task writes over it (overwrite).

const (
	maxClosures = 8       // for one question: each further tail begins at a section further outside
	maxTail     = 1 << 10 // operations
	maxClashes  = 1 << 14 // that are remembered, the latest ones
)

// tail has the last operations of the task of a point.
type tail struct {
	*Point
	from     int32 // its first operation, which begins a section
	seq      int64 // of that, in the log
	sections []*section
}

// clash is a conflict of an access with a later one of another task, which no data orders.
type clash struct {
	before, after position
	// where the accesses are
	beforeAt, afterAt op.Place
	writes            bool // the earlier one, and nothing else that it may stand for
	// the later one stands for the earlier one from then on, or what its task writes then does
	hides bool
	// what the task of the earlier one knew, if it is a write that may stand for accesses before
	// it in Data
	hidden    *clock.Clock
	overwrite *overwrite // instead of before, which is not known
}

// overwrite says that a task has written, at a moment, over what an unknown task has accessed. It
// is reported once for all writes until the task's next operation.
type overwrite struct {
	moment int32
	end    int64 // operations that were logged before the next one of the task
}

// standIns are the accesses of the tail, and writes that are left out and stand for some of them:
// of each task from one moment on.
type standIns map[op.Task]int32

func (s standIns) add(x position) {
	if first, known := s[x.task]; !known || x.moment < first {
		s[x.task] = x.moment
	}
}

func (s standIns) has(x position) bool {
	first, known := s[x.task]
	return known && first <= x.moment
}

// comeBefore reports whether one of them may precede an operation with that knowledge.
func (s standIns) comeBefore(known *clock.Clock) bool {
	if known != nil {
		for t, first := range s {
			if known.At(int32(t)) >= first {
				return true
			}
		}
	}
	return false
}

// AnyPrefix is Prefix, but where there is none in the order of the run, it tries prefixes in which
// the sections of one of the tasks come last. It does not find all of these.
//
// Time: that of Prefix, for each section around the first one.
func (h *History) AnyPrefix(points ...Point) *Prefix { return h.search(points, nil, maxClosures) }

// AnyPrefixBut is AnyPrefix, where some conflicts are none: of an access at before with a later one
// at after.
func (h *History) AnyPrefixBut(isNone func(before, after op.Place) bool, points ...Point) *Prefix {
	return h.search(points, isNone, maxClosures)
}

// longerTail returns the tail from the section that could not end, if the point of its task is in
// it; else nil.
func (c *closure) longerTail() *tail {
	s := c.blocking
	if s == nil || c.last != nil && c.last.Task != s.task.id {
		return nil
	}
	for i := range c.points {
		if p := &c.points[i]; p.Task == s.task.id && s.k <= p.Done {
			return c.history.tail(s, p)
		}
	}
	return nil
}

// tail returns what the task of p has done since it began s, nil unless all of that is known to be
// operations on locks.
func (h *History) tail(s *section, p *Point) *tail {
	t := &tail{Point: p, from: s.k, seq: s.seq}
	if p.Done-s.k >= maxTail || s.k <= h.unclear.At(int32(p.Task)) || s.seq < h.dim {
		return nil
	}
	begun := s.task.begun.all()
	t.sections = begun[begunBy(begun, s.k-1):begunBy(begun, p.Done)]
	known := int32(len(t.sections))
	for _, x := range t.sections {
		if x.endTask != nil && x.endTask != x.task {
			return nil // another task ends it
		}
		known += t.countEnds(x)
	}
	for x := s.outer; x != nil; x = x.outer {
		known += t.countEnds(x)
	}
	if h.work.Steps += int64(known); known != p.Done-s.k+1 {
		return nil
	}
	t.sections = slices.Clone(t.sections) // the history forgets the first ones while a prefix may be kept
	return t
}

// countEnds returns 1 if the tail has the end of a section of its task, else 0.
func (t *tail) countEnds(s *section) int32 {
	if s.endTask != nil && s.endTask.id == t.Task && t.from <= s.endK && s.endK <= t.Done {
		return 1
	}
	return 0
}

// beginTail adds the ends of all sections of the set that the tail's sections exclude.
func (c *closure) beginTail() {
	for _, s := range c.last.sections {
		l := c.state(s.lock)
		if l.latest = math.MaxInt64; !s.reads() {
			l.latestExclusive = math.MaxInt64
		}
		c.mustEnd(s.lock)
	}
}

// before returns what comes before a point, without the tail.
func (c *closure) before(p *Point) *clock.Clock {
	if c.limit(p) == p.Done {
		return p.Data
	}
	var known *clock.Clock
	add := func(t op.Task) {
		if t != p.Task {
			known = known.With(int32(t), p.Data.At(int32(t)))
		}
	}
	for _, t := range c.history.list {
		add(t.id)
	}
	for i := range c.points {
		add(c.points[i].Task)
	}
	return known
}

// noteClash notes that an access of a task conflicts with an earlier one.
func (h *History) noteClash(o *op.Op) {
	x := clash{
		before: position{o.Other, o.OtherMoment}, after: position{o.Task, o.Moment},
		beforeAt: o.OtherAt, afterAt: o.At,
		writes: o.OtherAlone && o.OtherWant == op.Write, hides: !o.OtherAlone,
	}
	if x.hides && (o.OtherWant == op.Write || o.OtherWant == op.AtomicStore) {
		x.hidden = o.OtherData
	}
	if all := h.clashes.all(); len(all) == 0 || all[len(all)-1] != x {
		h.addClash(x)
	}
}

// noteOverwrite notes that a task has written over what an unknown task has accessed.
func (h *History) noteOverwrite(o *op.Op) {
	if x := h.lasting[o.Task]; x != nil && x.moment == o.Moment {
		return
	}
	h.noteOperation(o.Task)
	x := &overwrite{o.Moment, math.MaxInt64}
	h.lasting[o.Task] = x
	h.addClash(clash{after: position{o.Task, o.Moment}, hides: true, overwrite: x})
}

// noteOperation notes that a task does an operation, or has done one that was not reported.
func (h *History) noteOperation(t op.Task) {
	if x := h.lasting[t]; x != nil {
		x.end = h.seq
		delete(h.lasting, t)
	}
}

// addClash remembers a clash, and forgets a quarter of them if there are too many.
func (h *History) addClash(x clash) {
	h.clashes.push(x)
	if len(h.clashes.all()) > maxClashes {
		h.forgetClashes()
	}
}

// forgetClashes drops the oldest quarter of the clashes. Overwrites among them that may still go on
// are put back in front.
func (h *History) forgetClashes() {
	var goOn []clash
	for range maxClashes / 4 {
		switch x := h.clashes.pop(); {
		case x.overwrite == nil:
			h.unclear = h.unclear.With(int32(x.before.task), x.before.moment)
		case x.overwrite.end == math.MaxInt64 && len(goOn) < maxClashes/8:
			goOn = append(goOn, x)
		default:
			h.dim = max(h.dim, x.overwrite.end)
		}
	}
	h.clashes.pushFront(goOn)
}

// clashes reports whether an access of the tail may conflict with a later one of the rest, other
// than at the points, or something in the rest may have read what the tail has written.
func (c *closure) clashes() bool {
	t := c.last
	c.history.work.Steps += int64(len(c.history.clashes.all())) + int64(t.Done-t.from)
	found := standIns{t.Task: t.from}
	for _, x := range c.history.clashes.all() { // those of an access after those of what it hides
		inTail := t.mayHave(&x)
		switch {
		case c.isNone != nil && x.overwrite == nil && c.isNone(x.beforeAt, x.afterAt):
		case !inTail && !found.has(x.before) && !found.comeBefore(x.hidden):
		case !c.mayReach(x.after):
			if !inTail || x.hides {
				found.add(x.after)
			}
		case !inTail || c.clashesWith(&x):
			return true
		}
	}
	for m := t.from; m <= t.Done; m++ {
		for r := range c.history.readsOf(position{t.Task, m}) {
			if c.pointAt(r.at) == nil && c.mayReach(r.at) {
				return true
			}
		}
	}
	return false
}

// mayHave reports whether the earlier access of a clash may be in the tail, or behind it.
func (t *tail) mayHave(x *clash) bool {
	if x.overwrite != nil {
		return x.overwrite.end > t.seq
	}
	return x.before.task == t.Task && x.before.moment >= t.from
}

// clashesWith reports whether a conflict of an access of the tail with a later one of the rest may
// let a read of the tail see something else.
func (c *closure) clashesWith(x *clash) bool {
	isRace := x.overwrite == nil && x.before.moment == c.last.Done && c.pointAt(x.after) != nil
	return !isRace && (!x.writes || c.mayHaveSeen(x.after))
}

// mayHaveSeen reports whether a read of the tail may have seen what was written at a position.
func (c *closure) mayHaveSeen(x position) bool {
	for r := range c.history.readsOf(x) {
		if r.at.task == c.last.Task && r.at.moment >= c.last.from {
			return true
		}
	}
	return false
}

// mayReach reports whether an access at a position may be in the rest, or come before something in
// the tail.
func (c *closure) mayReach(x position) bool {
	return x.task != c.last.Task && max(c.clock.At(int32(x.task)), c.last.Data.At(int32(x.task))) >= x.moment
}

// Reverses reports whether sections come in another order than in the run.
func (p *Prefix) Reverses() bool { return p.last != nil }

// Last returns the beginnings of the sections in the tail.
func (p *Prefix) Last() (places []op.Place) {
	if p.last != nil {
		for _, s := range p.last.sections {
			places = append(places, s.at)
		}
	}
	return places
}
