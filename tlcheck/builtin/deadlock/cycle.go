package deadlock

import (
	"iter"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// cycle is a deadlock that was found: moments of tasks each of which waits for the next.
type cycle struct {
	moments []moment
	blocker []acquisition   // blocker[i] is what moments[i] waits for, of the next one; without lock for others
	alike   map[uint64]bool // by locks, which each count once
	ideal   *clock.Clock    // in which all are there
	levels  reorder.Levels  // of a schedule
	exact   bool            // see slice, or there is a prefix
	assumes bool            // see Cycle
	prefix  *reorder.Prefix // see preserved; nil: that is not so
	read    *clock.Clock    // its operations, or those of the slice
	reached bool            // the ideal is, whatever is read
	again   int             // it was found with locks with which it is known, and is not exact
	told    bool            // by Certain
}

// search looks for cycles through an instance of an order.
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

// search is a depth-first search over instances in which each holds what the one before wants.
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

// cut undoes what was pushed since path had n moments.
func (s *search) cut(n, starts int) {
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
			if !s.path.fits(i) {
				continue
			}
			s.through(i.holder(), func() {
				s.push(i)
				s.extend()
			})
			s.cut(n, starts)
		}
	}
}

// through calls then for each way in which the holder blocks the last moment of the path.
func (s *search) through(holder *moment, then func()) {
	n, starts := len(s.path), len(s.starts)
	want := s.path[n-1]
	for _, h := range holder.holds() {
		if h.lock != want.lock {
			continue
		}
		s.blocker[n-1] = h
		if h.excludes(&want.acquisition) {
			then()
			s.cut(n, starts)
			return
		}
		for _, w := range want.lock.writers {
			if !s.path.fits(instance{w}) || !compatible(&w, holder) {
				continue
			}
			s.blocker[n-1] = acquisition{} // the writer itself
			s.path, s.blocker = append(s.path, w), append(s.blocker, h)
			then()
			s.cut(n, starts)
		}
	}
}

// fits reports whether j has no task in common with i, and holds no lock that excludes one that is
// held there (a gate lock).
func (i instance) fits(j instance) bool {
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
	for _, h := range a.holds() {
		if slices.ContainsFunc(b.holds(), func(g acquisition) bool { return g.excludes(&h) }) {
			return false
		}
	}
	return true
}

// close has found that the path is a cycle of orders.
func (s *search) close() {
	if len(s.path) == 1 {
		return // a task that waits for itself is no cycle of tasks
	}
	key, with := s.keys()
	known := s.found[key]
	read, exact := s.slice()
	isKnown := known != nil && (known.exact || !exact) && (known.alike[with] || len(known.alike) >= maxDifferent)
	switch {
	case isKnown && (known.exact || s.history == nil || s.path.waits() || !known.isDue()):
		return
	case known == nil && len(s.list) >= maxDifferent:
		return
	}
	if !s.refused[key].due() {
		return
	}
	var prefix *reorder.Prefix
	if !exact {
		prefix = s.preserved()
	}
	if isKnown && prefix == nil {
		return
	}
	r := s.reach()
	s.left -= r.Steps()
	if !r.Found() && prefix == nil {
		s.refuse(key)
		return
	}
	c := &cycle{
		moments: slices.Clone(s.path), blocker: slices.Clone(s.blocker), ideal: r.Ideal, levels: r.Levels,
		exact: exact || prefix != nil, prefix: prefix, read: read, reached: r.Found(),
		alike: map[uint64]bool{with: true},
	}
	if prefix != nil {
		c.read = prefix.Operations()
	}
	if known == nil {
		s.found[key] = c
	} else if known.alike[with] = true; c.exact && !known.exact && !c.waits() {
		c.alike = known.alike
		*known = *c
		return
	} else if !c.waits() {
		return
	}
	s.list = append(s.list, c)
}

// isDue counts a cycle that is known and not exact, and reports whether to look again whether it
// is: ever more rarely.
func (c *cycle) isDue() bool {
	c.again++
	return c.again&(c.again-1) == 0
}

// stepsOfPrefix is how many steps of package reorder take as long as one of a search.
const stepsOfPrefix = 1 << 10

// preserved returns the prefix of the run that leads to the moments, some of it left out, so that
// everything is read that was read in the run; nil if there is none. Whether somebody waits there
// for something else than a lock is known at the end of the run (holdsIn).
func (s *search) preserved() *reorder.Prefix {
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
	stands := make([]reorder.Stand, len(s.path))
	for i := range s.path {
		stands[i] = s.path[i].stand()
	}
	return s.sections.Reach(stands, s.holders(), s.open())
}

// stand returns the moment as package reorder is asked about it. A task that uses a channel may
// know it by way of what a lock guards, and one that waits to send needs the send of what is in the
// way.
func (m *moment) stand() reorder.Stand {
	x := reorder.Stand{Task: m.Task, K: m.K, Free: m.Free}
	for _, w := range m.wait.wishes() {
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
		for _, w := range i[a].wait.wishes() {
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

// due counts a cycle and reports whether to look at it: the first ones, and then one in a share of
// those before, so that their number is logarithmic. Whether a cycle can be reached depends on what
// else the tasks did, and mostly that is the same again.
func (r *refusals) due() bool {
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

// slice returns the least slice of the full order in which the tasks come to their moments, without
// any lock being taken in another order than in the run. It fails if there is none, as one of them
// knows that another one has gone on; or if what is read there is known to depend on a race. The
// run goes on from there to its end, so this is a deadlock only by what is no operation of the run:
// that a writer who waits keeps readers out. Where somebody waits for something else, it is not
// looked at.
func (s *search) slice() (*clock.Clock, bool) {
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

// waits reports whether somebody waits for something else than a lock.
func (c *cycle) waits() bool { return instance(c.moments).waits() }

func (i instance) waits() bool {
	return slices.ContainsFunc(i, func(m moment) bool { return m.wait.waits() })
}

// holds reports whether the cycle is a deadlock by all that is known at the end of the run, where
// some are blocked.
func (d *Detector) holds(c *cycle, blocked []*actor) bool {
	if c.waits() && slices.ContainsFunc(blocked, func(a *actor) bool { return d.goesOn(a, c) }) {
		return false
	}
	if c.prefix != nil && !c.holdsIn(c.read) {
		c.exact, c.prefix, c.read = false, nil, nil
		if !c.reached {
			return false
		}
	}
	if c.prefix == nil && !c.holdsIn(c.ideal) {
		return false
	}
	switch ofOwners := c.isOfOwners(); {
	case !c.exact:
	case c.isHandedOver():
		c.exact = false
	case (d.isOfGo || !ofOwners) && !d.isUndisturbed(c):
		c.exact, c.assumes = false, ofOwners
	}
	for i := range c.moments {
		m := &c.moments[i]
		if m.lock != nil && m.lock.none || slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.lock.none || h.lock.isCrossed(h.Seq) }) {
			return false
		}
	}
	return true
}

// holdsIn reports whether all that wait for something else than a lock do so from an ideal on, for
// ever.
func (c *cycle) holdsIn(ideal *clock.Clock) bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool { return m.wait.waits() && !m.stays(c.moments, ideal) })
}

// isOfOwners reports whether all wait for locks, and so for their owners, which can all go on but
// for that.
func (c *cycle) isOfOwners() bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool { return m.lock == nil })
}

// isHandedOver reports whether a task has ever left a section of another one of a lock in the
// cycle.
func (c *cycle) isHandedOver() bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.lock != nil && m.lock.isHandedOver() || slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.lock.isHandedOver() })
	})
}

// goesOn reports whether a task that the end of the run found waiting for a lock can have it in the
// deadlock, and has used a channel that a party waits for: what it does with that then, the run
// does not show.
func (d *Detector) goesOn(a *actor, c *cycle) bool {
	want := a.waits.acquisition
	if m := a.waits.wait.on.on; want.Kind == op.Send && m != nil {
		if l := d.locks.At(m.object); l != nil && !l.none {
			want.lock = l
		}
	}
	if want.lock == nil || slices.ContainsFunc(a.held, func(h acquisition) bool { return h.excludes(&want) }) {
		return false
	}
	waitsBehind := func(m moment) bool { // or is the party
		return m.Task == a.task || want.Free.At(int32(m.Task)) >= m.K ||
			slices.ContainsFunc(m.holds(), func(h acquisition) bool { return h.excludes(&want) })
	}
	return !slices.ContainsFunc(c.moments, waitsBehind) && slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.wait.waits() && slices.ContainsFunc(m.wait.wishes(), func(w wish) bool { return w.on.isUsedBy(a.task) })
	})
}

// abandon looks for who may come to want a lock that a task still holds when it ends, other than
// main.
func (d *Detector) abandon(a *actor, o *op.Op) {
	if len(a.held) == 0 || a.Many || a.task == 0 {
		return
	}
	last := moment{acquisition: after(o, op.End), begin: o.Full, started: a.started, hold: a.holding()}
	for _, h := range last.hold.held {
		for _, w := range h.lock.writers {
			if compatible(&w, &last) {
				s := search{Detector: d, path: instance{w, last}, blocker: []acquisition{h, {}}}
				s.close()
			}
		}
	}
}

// keys are hashes of the cycle, wherever it begins: by places, and by locks and places.
func (s *search) keys() (places, all uint64) {
	for i := range s.path {
		m := &s.path[i]
		p, a := mix(1, &m.acquisition, false), mix(1, &m.acquisition, true)
		if m.wait.waits() {
			a = mix(uint64(m.Task), &m.acquisition, false) // who it is will matter: see holds
		}
		for j := range m.holds() {
			p, a = mix(p, &m.holds()[j], false), mix(a, &m.holds()[j], true)
		}
		places, all = places+p, all+a
	}
	return places, all
}
