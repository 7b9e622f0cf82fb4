package deadlock

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// cycle is a deadlock that was found: moments of tasks, each waiting for the next.
type cycle struct {
	moments  []moment
	blocker  []acquisition   // blocker[i] is what moments[i] waits for, of the next one; without lock for others
	alike    map[uint64]bool // by locks: each counts once
	ideal    *clock.Clock    // in which all are there
	levels   reorder.Levels  // of a schedule
	exact    bool            // see leastSlice, or there is a prefix
	assumes  bool            // see Cycle
	prefix   *reorder.Prefix // see readPreservingPrefix; nil: there is none
	read     *clock.Clock    // its operations, or those of the slice
	reached  bool            // the ideal is, whatever is read
	ahead    []reorder.Sight // see SeenAhead; none if there is a prefix
	enabled  *enabling       // without accesses: what may be needed and is missing; nil if nothing
	again    int             // times that it was found with the same locks, and was not exact
	reported bool            // by Certain
}

// search looks for cycles through an instance of a dependency.
func (d *Detector) search(start instance) {
	s := &search{Detector: d, left: min(maxSteps, d.steps)}
	if s.left <= 0 {
		return
	}
	d.steps -= s.left
	s.push(start)
	s.extend()
	d.steps += s.left
}

// search is a depth-first search for a cycle of instances: each holds what the one before wants.
type search struct {
	*Detector
	path    instance
	blocker []acquisition
	starts  []int // of instances in path
	left    int   // steps
}

func (s *search) push(i instance) {
	s.starts = append(s.starts, len(s.path))
	for _, m := range i {
		s.path, s.blocker = append(s.path, m), append(s.blocker, acquisition{})
	}
}

// undoTo undoes what was pushed since path had n moments.
func (s *search) undoTo(n, starts int) {
	s.path, s.blocker, s.starts = s.path[:n], s.blocker[:n], s.starts[:starts]
}

// extend goes on from the last moment of the path, which wants a lock.
func (s *search) extend() {
	n, starts := len(s.path), len(s.starts)
	s.through(&s.path[0], func() { s.close() })
	if n >= maxParties {
		return
	}
	for _, o := range s.path[n-1].lock.first {
		for _, i := range o.instances {
			if s.left--; s.left <= 0 {
				return
			}
			if !s.path.isCompatible(i) {
				continue
			}
			s.through(i.holder(), func() {
				s.push(i)
				s.extend()
			})
			s.undoTo(n, starts)
		}
	}
}

// through calls do for each way in which the holder blocks the last moment of the path.
func (s *search) through(holder *moment, do func()) {
	n, starts := len(s.path), len(s.starts)
	last := s.path[n-1]
	for _, h := range holder.heldLocks() {
		if h.lock != last.lock {
			continue
		}
		s.blocker[n-1] = h
		if h.excludes(&last.acquisition) {
			do()
			s.undoTo(n, starts)
			return
		}
		for _, w := range last.lock.writers {
			if !s.path.isCompatible(instance{w}) || !compatible(&w, holder) {
				continue
			}
			s.blocker[n-1] = acquisition{} // the writer itself
			s.path, s.blocker = append(s.path, w), append(s.blocker, h)
			do()
			s.undoTo(n, starts)
		}
	}
}

// isCompatible reports whether j has no task in common with i, and holds no lock that excludes one
// that is held there (a gate lock).
func (i instance) isCompatible(j instance) bool {
	for a := range i {
		for b := range j {
			if !compatible(&i[a], &j[b]) {
				return false
			}
		}
	}
	return true
}

func compatible(a, b *moment) bool {
	if a.Task == b.Task {
		return false
	}
	return !slices.ContainsFunc(a.heldLocks(), func(h acquisition) bool { return h.isExcludedBy(b.heldLocks()) })
}

// close keeps the cycle that the path forms, if it can be reached.
func (s *search) close() {
	if len(s.path) == 1 {
		return // a task that waits for itself is no cycle of tasks
	}
	key, with := s.hashes()
	known := s.found[key]
	read, exact := s.leastSlice()
	isKnown := known != nil && (known.exact || !exact) && (known.alike[with] || len(known.alike) >= maxDifferent)
	switch {
	case isKnown && (known.exact || s.history == nil || s.path.waits() || !known.isDue()):
		return
	case known == nil && len(s.list) >= maxDifferent:
		return
	}
	if !s.refused[key].isDue() {
		return
	}
	var prefix *reorder.Prefix
	if !exact {
		prefix = s.readPreservingPrefix()
	}
	if isKnown && prefix == nil && !known.isDoubted() {
		return
	}
	r := s.reach()
	s.left -= r.Steps()
	if !r.Found() && prefix == nil {
		s.refuse(key)
		return
	}
	var ahead []reorder.Sight
	if !exact && prefix == nil {
		ahead = s.seenAhead()
	}
	c := &cycle{
		moments: slices.Clone(s.path), blocker: slices.Clone(s.blocker), ideal: r.Ideal, levels: r.Levels,
		exact: exact || prefix != nil, prefix: prefix, read: read, reached: r.Found(), ahead: ahead,
		alike: map[uint64]bool{with: true},
	}
	if prefix != nil {
		c.read = prefix.Operations()
	}
	s.noteEnabling(c)
	if known == nil {
		s.found[key] = c
	} else if known.alike[with] = true; c.isBetterThan(known) && !c.waits() {
		c.alike = known.alike
		*known = *c
		return
	} else if !c.waits() {
		return
	}
	s.list = append(s.list, c)
}

// isBetterThan reports whether a cycle at the same places is known better.
func (c *cycle) isBetterThan(known *cycle) bool {
	if c.exact || known.exact {
		return c.exact && !known.exact
	}
	return !c.isDoubted() && known.isDoubted()
}

// isDoubted reports whether a task may go another way before it comes there.
func (c *cycle) isDoubted() bool { return len(c.ahead) > 0 || c.enabled != nil }

// isDue counts a cycle that is known but not exact. It reports whether to examine again if it is
// exact: ever more rarely.
func (c *cycle) isDue() bool {
	c.again++
	return c.again&(c.again-1) == 0
}

// stepsOfPrefix is how many steps of package reorder take as long as one of a search.
const stepsOfPrefix = 1 << 10

// readPreservingPrefix returns a prefix of the run, some operations left out, that leads to the
// moments and in which each read sees what it saw in the run; nil if there is none. Waits for
// something else than a lock are judged at the end of the run (lastsFrom).
func (s *search) readPreservingPrefix() *reorder.Prefix {
	if s.history == nil {
		return nil
	}
	var points []reorder.Point
	for i := range s.path {
		m := &s.path[i]
		points = append(points, reorder.Point{Task: m.Task, Done: m.K - 1, Data: m.Data})
	}
	before := s.history.Work().Steps
	p := s.history.Prefix(points...)
	if p != nil && (p.IsOpen() || p.Verify() != nil || !s.path.areMade(p.Operations())) {
		p = nil
	}
	s.left -= int((s.history.Work().Steps - before) / stepsOfPrefix)
	return p
}

// reach asks whether some schedule leads to the moments, whatever is read.
func (s *search) reach() *reorder.Reach {
	return s.sections.Reach(s.path.stands(), s.holders(), s.open())
}

// seenAhead returns the reads that show something else in all schedules that lead to the moments.
func (s *search) seenAhead() []reorder.Sight {
	if s.history == nil {
		return nil
	}
	before := s.history.Work().Steps
	seen := s.history.SeenAhead(s.path.stands())
	s.left -= int((s.history.Work().Steps - before) / stepsOfPrefix)
	return seen
}

func (i instance) stands() []reorder.Stand {
	stands := make([]reorder.Stand, len(i))
	for j := range i {
		stands[j] = i[j].asStand()
	}
	return stands
}

// asStand returns the moment as package reorder is asked about it. A task that uses a channel may
// know it by way of what a lock guards, and one that waits to send needs the send of what is in the
// way.
func (m *moment) asStand() reorder.Stand {
	x := reorder.Stand{Task: m.Task, K: m.K, Free: m.Free}
	for _, w := range m.wait.targets() {
		if w.on != nil && w.on.maker.k > 0 {
			x.Also = append(x.Also, reorder.Known{Task: w.on.maker.task, K: w.on.maker.k, Free: w.on.free})
		}
	}
	if full := m.wait.full; full.k > 0 {
		x.Also = append(x.Also, reorder.Known{Task: full.task, K: full.k, Free: m.wait.free})
	}
	if m.hold != nil {
		x.Since, x.Left = m.hold.since, m.hold.left
		for i := range m.hold.held {
			x.Held = append(x.Held, m.hold.held[i].Acquisition)
		}
	}
	return x
}

// holders yields the tasks that have not ended, as far as their sections matter.
func (d *Detector) holders() iter.Seq[*reorder.Holder] {
	return func(yield func(*reorder.Holder) bool) {
		for _, a := range d.actors {
			if !yield(a.Holder) {
				return
			}
		}
	}
}

// open yields the acquisitions whose sections are open.
func (d *Detector) open() iter.Seq[*reorder.Acquisition] {
	return func(yield func(*reorder.Acquisition) bool) {
		for _, a := range d.actors {
			for i := range a.held {
				if !yield(&a.held[i].Acquisition) {
					return
				}
			}
		}
	}
}

// areMade reports whether the channels that the tasks wait for have been made in an ideal.
func (i instance) areMade(ideal *clock.Clock) bool {
	for a := range i {
		for _, w := range i[a].wait.targets() {
			if w.on != nil && w.on.maker.k > 0 && ideal.At(int32(w.on.maker.task)) < w.on.maker.k {
				return false
			}
		}
	}
	return true
}

// refusals counts cycles at the same places to which no schedule was found.
type refusals struct {
	met  int // of these and those that were not looked at
	next int // met until one is looked at again
}

// isDue counts a cycle and reports whether to look at it: the first ones, and then every time the
// count has grown by a constant factor. Whether a cycle can be reached depends on what else the
// tasks did, which is mostly the same again.
func (r *refusals) isDue() bool {
	if r == nil {
		return true
	}
	r.met++
	return r.met >= r.next
}

func (s *search) refuse(key uint64) {
	r := s.refused[key]
	if r == nil {
		if len(s.refused) >= maxOrders {
			return
		}
		r = &refusals{met: 1}
		s.refused[key] = r
	}
	r.next = r.met + 1 + r.met/maxRefused
}

// leastSlice returns the least slice of the full order in which the tasks come to their moments:
// all locks are taken in the order of the run. It fails if there is none, as one of the tasks knows
// that another one has gone on; or if what is read there is known to depend on a race; or if a task
// waits for something else than a lock. The run goes on from there to its end. So this is a
// deadlock only by what is no operation of the run: a waiting writer keeps readers out.
func (s *search) leastSlice() (*clock.Clock, bool) {
	var all *clock.Clock
	for i := range s.path {
		m := &s.path[i]
		if m.wait.waits() {
			return nil, false
		}
		all = clock.Join(all, m.begin)
	}
	for i := range s.path {
		m := &s.path[i]
		if all.At(int32(m.Task)) >= m.K {
			return nil, false
		}
		all = all.With(int32(m.Task), m.K-1)
	}
	return all, s.history == nil || !s.history.IsOpenIn(all)
}

// waits reports whether a task waits for something else than a lock.
func (c *cycle) waits() bool { return instance(c.moments).waits() }

func (i instance) waits() bool {
	return slices.ContainsFunc(i, func(m moment) bool { return m.wait.waits() })
}

// isDeadlock reports whether the cycle is a deadlock by all that is known at the end of the run,
// when some tasks are blocked.
func (d *Detector) isDeadlock(c *cycle, blocked []*actor) bool {
	if c.waits() && slices.ContainsFunc(blocked, func(a *actor) bool { return d.goesOn(a, c) }) {
		return false
	}
	if c.prefix != nil && !c.lastsFrom(c.read) {
		c.exact, c.prefix, c.read = false, nil, nil
		if !c.reached {
			return false
		}
	}
	if c.prefix == nil && !c.lastsFrom(c.ideal) {
		return false
	}
	switch ofOwners := c.isOfOwners(); {
	case !c.exact:
	case c.isHandedOver():
		c.exact = false
	case (d.isOfGo || !ofOwners) && !d.isUndisturbed(c):
		c.exact, c.assumes = false, ofOwners
	}
	return c.isOfSections()
}

// isOfSections reports whether all locks in the cycle are locks, as far as is known, and no task
// other than the holder has left a section in it.
func (c *cycle) isOfSections() bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.lock != nil && m.lock.none || slices.ContainsFunc(m.heldLocks(), func(h acquisition) bool {
			return h.lock.none || h.lock.isCrossed(h.Seq)
		})
	})
}

// lastsFrom reports whether the tasks that wait for something else than a lock do so for ever, from
// an ideal on.
func (c *cycle) lastsFrom(ideal *clock.Clock) bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.wait.waits() && !m.neverEnds(c.moments, ideal)
	})
}

// isOfOwners reports whether all tasks wait for locks, and so for the owners of these, which
// nothing else keeps from going on.
func (c *cycle) isOfOwners() bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool { return m.lock == nil })
}

// isHandedOver reports whether some lock in the cycle has ever been unlocked by a task other than
// the one that had locked it.
func (c *cycle) isHandedOver() bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.lock != nil && m.lock.isHandedOver() ||
			slices.ContainsFunc(m.heldLocks(), func(h acquisition) bool { return h.lock.isHandedOver() })
	})
}

// goesOn reports whether a task that waits for a lock at the end of the run gets it in the
// deadlock, and has used a channel that a party waits for. The run does not show how it uses that
// then.
func (d *Detector) goesOn(a *actor, c *cycle) bool {
	next := a.waits.acquisition
	if m := a.waits.wait.on.on; next.Kind == op.Send && m != nil {
		if l := d.locks.At(m.object); l != nil && !l.none {
			next.lock = l
		}
	}
	if next.lock == nil || next.isExcludedBy(a.held) {
		return false
	}
	waitsBehind := func(m moment) bool { // or is the party
		return m.Task == a.task || next.Free.At(int32(m.Task)) >= m.K || next.isExcludedBy(m.heldLocks())
	}
	return !slices.ContainsFunc(c.moments, waitsBehind) && slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.wait.waits() &&
			slices.ContainsFunc(m.wait.targets(), func(w target) bool { return w.on.isUsedBy(a.task) })
	})
}

// abandon looks for tasks that may later want a lock that a task other than main still holds when
// it ends.
func (d *Detector) abandon(a *actor, o *op.Op) {
	if len(a.held) == 0 || a.Many || a.task == 0 {
		return
	}
	last := moment{acquisition: acquisitionAfter(o, op.End), begin: o.Full, started: a.started, hold: a.copyHeld()}
	for _, h := range last.hold.held {
		for _, w := range h.lock.writers {
			if compatible(&w, &last) {
				s := search{Detector: d, path: instance{w, last}, blocker: []acquisition{h, {}}}
				s.close()
			}
		}
	}
}

// hashes are hashes of the cycle, wherever it begins: by places, and by locks and places.
func (s *search) hashes() (places, all uint64) {
	for i := range s.path {
		m := &s.path[i]
		p, a := mix(1, &m.acquisition, false), mix(1, &m.acquisition, true)
		if m.wait.waits() {
			a = mix(uint64(m.Task), &m.acquisition, false) // the task will matter: see isDeadlock
		}
		for j := range m.heldLocks() {
			p, a = mix(p, &m.heldLocks()[j], false), mix(a, &m.heldLocks()[j], true)
		}
		places, all = places+p, all+a
	}
	return places, all
}
