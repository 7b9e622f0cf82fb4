package tlcheck

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// The left side of an until may be a conjunction of local predicates. Then in all slices strictly
// between I and the goal J the task of each predicate is in one stretch. If I lacks the entry E of
// a stretch, every action of J beyond I is E or comes after it (goal.go). So all stretches whose
// entries I lacks have the same entry, and likewise all stretches whose exits J has have the same
// exit. For each choice of stretches there are four cases
//
//	inside             I has all entries and is strictly below the greatest slice
//	                   of the goal without any exit
//	from E             I is J without E and what comes after that, and has the other entries;
//	                   J has no exit
//	to X               J is I with X and what comes before that, and has no other exit;
//	                   I has all entries
//	from E to X        both
//
// and each of these has a least slice.

// stretchSearch looks for ways along stretches: from a slice in which the tracks' tasks are in
// their spans to a slice of the goal.
type stretchSearch struct {
	*search
	goal           *goal
	tracks, wanted []track // of the slice, and of the goal's slice
	core           slices.Ideal
	found          func(slices.Ideal) bool

	// The chosen stretches, the least and the greatest slice in all of them, and an upper bound of
	// the goal's slices to which they lead.
	along     []*stretch
	in, until slices.Ideal
	roof      slices.Ideal
}

// crossings calls found with slices above core that are better than the best violation and from
// which more than one action leads to the goal: for each choice of stretches for the assigned
// predicates of the left side, the least slice in each case. It stops when found returns true, and
// then returns true. For unassigned slots it only asks whether some task exists.
func (s *search) crossings(
	g *goal, tracks, wanted []track, core slices.Ideal, found func(slices.Ideal) bool,
) (bool, error) {
	c := &stretchSearch{search: s, goal: g, tracks: tracks, wanted: wanted, core: core, found: found,
		until: s.lat.Top(), roof: s.lat.Top()}
	return c.choose(0)
}

// choose tries the stretches of the predicates from the n-th on.
func (c *stretchSearch) choose(n int) (bool, error) {
	for n < len(c.goal.left) && !c.assigned[c.goal.left[n].slot] {
		n++
	}
	if n == len(c.goal.left) {
		return c.cases()
	}
	p := &c.goal.left[n]
	task := c.env[p.slot]
	all := c.stretchesOf(p, task)
	outer := *c
	defer func() { *c = outer }()
	for i := sort.Search(len(all), func(i int) bool { return !all[i].left(c.core) }); i < len(all); i++ {
		m := &all[i]
		if !c.better(m.belowEntry.Size()-1) || outer.anyEnded(m.belowEntry) {
			break // later stretches are larger, and come after more
		}
		if m.left(outer.in) {
			continue
		}
		if err := c.computeBounds(c.goal, p, task, m); err != nil {
			return false, err
		}
		if m.dead || !c.fits(m) {
			continue
		}
		c.along, c.in = append(outer.along, m), outer.in.Join(m.belowEntry)
		c.until, c.roof = outer.until.Meet(m.withoutExit), outer.roof.Meet(m.roof)
		if !c.better(c.core.Join(c.in).Size() - 1) {
			break
		}
		if ok, err := c.choose(n + 1); ok || err != nil {
			return ok, err
		}
	}
	return false, c.stopped()
}

// anyEnded reports whether some chosen stretch is over in the slice.
func (c *stretchSearch) anyEnded(at slices.Ideal) bool {
	return stdslices.ContainsFunc(c.along, func(m *stretch) bool { return m.left(at) })
}

// fits reports whether, for each task by itself, the tracks' tasks can be in their spans before
// the stretch is over, and those of the goal after it has begun.
func (c *stretchSearch) fits(m *stretch) bool {
	missed := func(lo slices.Ideal) func(track) bool {
		return func(t track) bool { return !c.passes(t.task, t.spans, lo, m.roof) }
	}
	return c.core.Leq(m.roof) && !stdslices.ContainsFunc(c.tracks, missed(m.floor)) &&
		!stdslices.ContainsFunc(c.wanted, missed(m.belowEntry))
}

// cases calls found with the least slice of each case that can be better than the best violation.
func (c *stretchSearch) cases() (bool, error) {
	lo := c.core.Join(c.in)
	entries := c.entries(lo)
	if !c.better(lo.Size()) && len(entries) == 0 {
		return false, nil
	}
	from := lo
	if len(entries) > 0 {
		from = c.core // then the slice lacks one of the entries
	}
	if ok, err := c.tasksExist(from, lo); !ok || err != nil {
		return false, err
	}
	try := func(at slices.Ideal, ok bool, err error) (bool, error) {
		if !ok || err != nil || !c.better(at.Size()) {
			return false, err
		}
		if ok, err = c.tasksExist(at, at); !ok || err != nil {
			return false, err
		}
		return c.found(at), nil
	}
	if done, err := try(c.inside()); done || err != nil {
		return done, err
	}
	for _, e := range entries {
		if done, err := try(c.fromEntry(e)); done || err != nil {
			return done, err
		}
	}
	for _, x := range c.along {
		if !c.exitArrives(x) {
			continue
		}
		if done, err := try(c.toExit(x)); done || err != nil {
			return done, err
		}
		for _, e := range entries {
			if done, err := try(c.fromEntryToExit(e, x)); done || err != nil {
				return done, err
			}
		}
	}
	return false, nil
}

// entries returns the stretches with an entry after which the goal may be reached from a slice
// better than the best violation; lo is the least slice above the core with all entries.
func (c *stretchSearch) entries(lo slices.Ideal) []*stretch {
	all := c.better(lo.Size())
	var entries []*stretch
	for _, m := range c.along {
		if m.starts && !c.core.Has(m.entry) && (all || c.canImprove(m)) {
			entries = append(entries, m)
		}
	}
	return entries
}

// exitArrives reports whether the exit takes some task of the goal into one of its spans.
func (c *stretchSearch) exitArrives(x *stretch) bool {
	if !x.ends {
		return false
	}
	exit := c.net.Canonical(x.exit)
	return stdslices.ContainsFunc(c.wanted, func(t track) bool {
		k := x.belowExit.At(t.task)
		i := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].from >= k })
		if i == len(t.spans) {
			return false
		}
		e, ok := entry(c.net, t.task, t.spans[i].from)
		return ok && c.net.Canonical(e) == exit
	})
}

// inside handles the case "inside": the slice has all entries, and the slice of the goal no exit.
func (c *stretchSearch) inside() (slices.Ideal, bool, error) {
	at, ok, err := least(c.budget, c.lat, c.tracks, c.core.Join(c.in))
	if !ok || err != nil || !at.Leq(c.until) {
		return at, false, err
	}
	last, ok, err := greatest(c.budget, c.lat, c.wanted, c.until)
	return at, ok && at.Leq(last) && !at.Equal(last), err
}

// fromEntry handles the case "from E", where E is the entry of m: each action between the two
// slices is E or comes after it, and none is an exit.
func (c *stretchSearch) fromEntry(m *stretch) (slices.Ideal, bool, error) {
	return c.climb(c.beforeEntry(m), func(at slices.Ideal) (slices.Ideal, bool, error) {
		if at.Has(m.entry) {
			return at, false, nil
		}
		goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(c.in))
		return goal.Meet(m.withoutEntry), ok && goal.Leq(c.until), err
	})
}

// beforeEntry returns the least slice above the core that has all entries except that of m.
func (c *stretchSearch) beforeEntry(m *stretch) slices.Ideal {
	at := c.core.Join(m.floor)
	for _, other := range c.along {
		if other.starts && !c.net.Same(other.entry, m.entry) {
			at = at.Join(other.belowEntry)
		}
	}
	return at
}

// canImprove reports whether a way that begins with the entry of m can give a better violation. For
// that each slot of the goal needs a task that the entry and the actions after it can take into one
// of its spans, from a slice better than the best violation.
func (c *stretchSearch) canImprove(m *stretch) bool {
	at := c.beforeEntry(m)
	for slot, w := range c.goal.tracks {
		tasks := w.tasks
		if c.assigned[slot] {
			tasks = c.env[slot : slot+1]
		}
		if !stdslices.ContainsFunc(tasks, func(t san.Task) bool {
			// its own events that do not come after the entry
			lacks := min(eventsUntilSpan(w.spans[t], at, t), m.withoutEntry.At(t)-at.At(t))
			return c.better(at.Size() + max(0, lacks))
		}) {
			return false
		}
	}
	return true
}

// toExit handles the case "to X", where X is the exit of x: the slice has all entries, and each
// action between the two slices is X or comes before it.
func (c *stretchSearch) toExit(x *stretch) (slices.Ideal, bool, error) {
	return c.climb(c.core.Join(c.in), func(at slices.Ideal) (slices.Ideal, bool, error) { return c.beforeExit(x, at) })
}

// fromEntryToExit handles the case "from E to X".
func (c *stretchSearch) fromEntryToExit(m, x *stretch) (slices.Ideal, bool, error) {
	if !x.belowExit.Has(m.entry) {
		return slices.Ideal{}, false, nil
	}
	from := c.beforeEntry(m).Join(x.belowExit.Meet(m.withoutEntry))
	return c.climb(from, func(at slices.Ideal) (slices.Ideal, bool, error) {
		if at.Has(m.entry) {
			return at, false, nil
		}
		return c.beforeExit(x, at)
	})
}

// beforeExit returns the least slice above at that differs from a slice of the goal only by the
// exit of x and the actions before it.
func (c *stretchSearch) beforeExit(x *stretch, at slices.Ideal) (slices.Ideal, bool, error) {
	if at.Has(x.exit) {
		return at, false, nil
	}
	goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(x.belowExit))
	if !ok || err != nil {
		return at, false, err
	}
	if stdslices.ContainsFunc(c.along, func(m *stretch) bool { return m.left(goal) && !c.net.Same(m.exit, x.exit) }) {
		return at, false, nil
	}
	for _, a := range c.lat.Maximal(goal) {
		if !x.belowExit.Has(a) {
			at = at.Join(c.lat.Down(a))
		}
	}
	return at, !at.Has(x.exit), nil
}

// climb returns the least slice above at in which the tracks' tasks are in their spans and which
// step does not raise; false if step finds that there is none.
func (c *stretchSearch) climb(
	at slices.Ideal, step func(slices.Ideal) (slices.Ideal, bool, error),
) (slices.Ideal, bool, error) {
	for {
		next, ok, err := step(at)
		if ok && err == nil {
			next, ok, err = least(c.budget, c.lat, c.tracks, next)
		}
		if !ok || err != nil {
			return at, false, err
		}
		if next.Equal(at) {
			return at, true, nil
		}
		at = next
	}
}

// tasksExist reports whether the goal may be reached from a slice above from, through slices above
// at, and some task for each unassigned slot is in a span on the way.
func (c *stretchSearch) tasksExist(from, at slices.Ideal) (bool, error) {
	lo, ok, err := least(c.budget, c.lat, c.wanted, at)
	if !ok || err != nil {
		return false, err
	}
	hi, ok, err := greatest(c.budget, c.lat, c.wanted, c.roof)
	if !ok || err != nil || !lo.Leq(hi) {
		return false, err
	}
	for slot, w := range c.goal.tracks {
		if !c.assigned[slot] && !c.somePasses(w, lo, hi) {
			return false, nil
		}
	}
	for slot, w := range c.goal.core {
		if !c.assigned[slot] && !c.somePasses(w, from, hi) {
			return false, nil
		}
	}
	for i := range c.goal.left {
		if p := &c.goal.left[i]; !c.assigned[p.slot] && !c.somePasses(p.states, at, hi) {
			return false, nil
		}
	}
	return true, nil
}

// somePasses reports whether some task passes one of its spans between lo and hi.
func (e *evaluator) somePasses(w *requirement, lo, hi slices.Ideal) bool {
	return stdslices.ContainsFunc(w.tasks, func(t san.Task) bool { return e.passes(t, w.spans[t], lo, hi) })
}

// passes reports whether the task is in one of the spans in some slice between lo and hi.
func (e *evaluator) passes(t san.Task, spans []span, lo, hi slices.Ideal) bool {
	state := stateIn(e.lat, lo, t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= state })
	if i == len(spans) {
		return false
	}
	in, ok := entry(e.net, t, spans[i].from)
	return !ok || hi.Has(in)
}

// stretch is a row of states in which a local predicate is not false, with bounds on the ways along
// it that hold for all values of other task variables.
type stretch struct {
	mark
	bounded bool         // the bounds below are known
	dead    bool         // there are no such ways
	floor   slices.Ideal // below all slices in which they begin
	roof    slices.Ideal // above all slices of the goal to which they lead
}

// stretchesOf returns the stretches of a task, in order.
func (s *search) stretchesOf(p *leftPart, t san.Task) []stretch {
	if p.stretches[t] == nil {
		marks := s.stretches(p.negation, t)
		p.stretches[t] = make([]stretch, len(marks))
		for i, m := range marks {
			p.stretches[t][i].mark = m
		}
	}
	return p.stretches[t]
}

// computeBounds computes the bounds on the ways along a task's stretch.
func (s *search) computeBounds(g *goal, p *leftPart, t san.Task, m *stretch) error {
	if m.bounded {
		return nil
	}
	if err := s.stopped(); err != nil {
		return err
	}
	m.bounded, m.floor, m.roof = true, m.belowEntry, m.withoutExit
	if m.starts {
		m.floor = m.belowEntry.Meet(m.withoutEntry)
	}
	if m.ends {
		m.roof = m.withoutExit.Join(m.belowExit)
	}
	for slot, wanted := range g.tracks {
		tasks := wanted.tasks
		if slot == p.slot {
			tasks = []san.Task{t}
		}
		if m.dead = m.dead || !s.lowerRoof(m, wanted, tasks, false); m.dead {
			return nil
		}
	}
	for i := range g.left {
		other := &g.left[i]
		if m.dead = m.dead || other.slot != p.slot && !s.lowerRoof(m, other.states, other.states.tasks, true); m.dead {
			return nil
		}
	}
	for slot, w := range g.core {
		if m.dead = m.dead || slot != p.slot && !s.somePasses(w, m.floor, m.roof); m.dead {
			return nil
		}
	}
	return nil
}

// lowerRoof lowers the roof of a stretch to the slices above the entry in which some task is in one
// of its spans or, if left is set, has just left it; false if there are none.
func (s *search) lowerRoof(m *stretch, wanted *requirement, tasks []san.Task, left bool) bool {
	hi := m.roof
	if left {
		hi = m.withoutExit
	}
	var below []slices.Ideal
	for _, t := range tasks {
		spans, state := wanted.spans[t], stateIn(s.lat, hi, t)
		i := sort.Search(len(spans), func(i int) bool { return spans[i].from > state }) - 1
		if i < 0 {
			continue
		}
		out, ok := exit(s.net, t, spans[i].to)
		if !ok || !m.roof.Has(out) {
			return true
		}
		if m.belowEntry.Has(out) {
			continue
		}
		below = append(below, s.lat.NotAbove(out))
		if left {
			below = append(below, s.lat.Down(out))
		}
	}
	m.roof = m.roof.Meet(s.lat.Union(below))
	return len(below) > 0
}
