package tlcheck

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// The left side of an until may be a conjunction of local predicates. Then all slices strictly
// between I and the goal J have the task of each predicate in one stretch. If I lacks the entry E
// of a stretch, all that J has beyond I is E or comes after it (goal.go), so the stretches whose
// entries I lacks have the same one; and those whose exits J has have the same exit. For each
// choice of stretches this leaves
//
//	inside             I has all entries and is strictly below the greatest slice of the goal without any exit
//	from E             I is J without E and what comes after that, and has the other entries; J has no exit
//	to X               J is I with X and what comes before that, and has no other exit; I has all entries
//	from E to X        both
//
// and each of these has a least slice.

// crossing is the way from a slice in which the tracks' tasks are where they are wanted to one of
// the goal, along stretches.
type crossing struct {
	*search
	goal           *goal
	tracks, wanted []track // of the slice, of that of the goal
	core           slices.Ideal
	found          func(slices.Ideal) bool

	// The stretches that were chosen, the least and the greatest slice in all of them, and a slice
	// above all of the goal that they lead to.
	along     []*stretch
	in, until slices.Ideal
	roof      slices.Ideal
}

// crossings calls found with slices above core better than the best violation, from which a slice
// of the goal can be reached in more than one action: for each choice of stretches for the assigned
// predicates of the left side the least in each case. It ends when found returns true, and reports
// that. What is not assigned is asked for existence only.
func (s *search) crossings(
	g *goal, tracks, wanted []track, core slices.Ideal, found func(slices.Ideal) bool,
) (bool, error) {
	c := &crossing{search: s, goal: g, tracks: tracks, wanted: wanted, core: core, found: found, until: s.lat.Top(),
		roof: s.lat.Top()}
	return c.choose(0)
}

// choose tries the stretches of the predicates from the n-th on.
func (c *crossing) choose(n int) (bool, error) {
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
		if !c.better(m.in.Size()-1) || outer.ended(m.in) {
			break // later ones are larger, and come after more
		}
		if m.left(outer.in) {
			continue
		}
		if err := c.bound(c.goal, p, task, m); err != nil {
			return false, err
		}
		if m.dead || !c.within(m) {
			continue
		}
		c.along, c.in, c.until, c.roof = append(outer.along, m), outer.in.Join(m.in), outer.until.Meet(m.until),
			outer.roof.Meet(m.roof)
		if !c.better(c.core.Join(c.in).Size() - 1) {
			break
		}
		if ok, err := c.choose(n + 1); ok || err != nil {
			return ok, err
		}
	}
	return false, c.stopped()
}

// ended reports whether some stretch that was chosen is over in the slice.
func (c *crossing) ended(at slices.Ideal) bool {
	return stdslices.ContainsFunc(c.along, func(m *stretch) bool { return m.left(at) })
}

// within reports whether, as far as each task alone tells, the tracks' tasks can be where they are
// wanted before the stretch is over, and those of the goal after it has begun.
func (c *crossing) within(m *stretch) bool {
	missed := func(lo slices.Ideal) func(track) bool {
		return func(t track) bool { return !c.passes(t.task, t.spans, lo, m.roof) }
	}
	return c.core.Leq(m.roof) && !stdslices.ContainsFunc(c.tracks, missed(m.floor)) &&
		!stdslices.ContainsFunc(c.wanted, missed(m.in))
}

// cases calls found with the least slice of each case that can be better than the best violation.
func (c *crossing) cases() (bool, error) {
	lo := c.core.Join(c.in)
	entries := c.entries(lo)
	if !c.better(lo.Size()) && len(entries) == 0 {
		return false, nil
	}
	from := lo
	if len(entries) > 0 {
		from = c.core // the slice lacks one of the entries then
	}
	if ok, err := c.manned(from, lo); !ok || err != nil {
		return false, err
	}
	try := func(at slices.Ideal, ok bool, err error) (bool, error) {
		if !ok || err != nil || !c.better(at.Size()) {
			return false, err
		}
		if ok, err = c.manned(at, at); !ok || err != nil {
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

// entries returns the stretches from whose entry the goal may be reached from a slice better than
// the best violation; lo is the least one above the core with all entries.
func (c *crossing) entries(lo slices.Ideal) []*stretch {
	all := c.better(lo.Size())
	var entries []*stretch
	for _, m := range c.along {
		if m.starts && !c.core.Has(m.entry) && (all || c.near(m)) {
			entries = append(entries, m)
		}
	}
	return entries
}

// exitArrives reports whether the exit takes some task of the goal to where it is wanted.
func (c *crossing) exitArrives(x *stretch) bool {
	if !x.ends {
		return false
	}
	exit := c.net.Canonical(x.exit)
	return stdslices.ContainsFunc(c.wanted, func(t track) bool {
		k := x.past.At(t.task)
		i := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].from >= k })
		if i == len(t.spans) {
			return false
		}
		e, ok := entry(c.net, t.task, t.spans[i].from)
		return ok && c.net.Canonical(e) == exit
	})
}

// inside: all entries are in the slice, and no exit in that of the goal.
func (c *crossing) inside() (slices.Ideal, bool, error) {
	at, ok, err := least(c.budget, c.lat, c.tracks, c.core.Join(c.in))
	if !ok || err != nil || !at.Leq(c.until) {
		return at, false, err
	}
	last, ok, err := greatest(c.budget, c.lat, c.wanted, c.until)
	return at, ok && at.Leq(last) && !at.Equal(last), err
}

// fromEntry: all that is between is the entry of a stretch or comes after it, and no exit.
func (c *crossing) fromEntry(m *stretch) (slices.Ideal, bool, error) {
	return c.climb(c.beforeEntry(m), func(at slices.Ideal) (slices.Ideal, bool, error) {
		if at.Has(m.entry) {
			return at, false, nil
		}
		goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(c.in))
		return goal.Meet(m.before), ok && goal.Leq(c.until), err
	})
}

// beforeEntry returns the least slice above the core that lacks of the entries only that of a
// stretch.
func (c *crossing) beforeEntry(m *stretch) slices.Ideal {
	at := c.core.Join(m.floor)
	for _, other := range c.along {
		if other.starts && !c.net.Same(other.entry, m.entry) {
			at = at.Join(other.in)
		}
	}
	return at
}

// near reports whether from a slice better than the best violation the entry of a stretch and what
// comes after it can take a task to where it is wanted, for each slot of the goal.
func (c *crossing) near(m *stretch) bool {
	at := c.beforeEntry(m)
	for slot, w := range c.goal.tracks {
		tasks := w.tasks
		if c.assigned[slot] {
			tasks = c.env[slot : slot+1]
		}
		if !stdslices.ContainsFunc(tasks, func(t san.Task) bool {
			// of its events, those that do not come after the entry
			lacks := min(missing(w.spans[t], at, t), m.before.At(t)-at.At(t))
			return c.better(at.Size() + max(0, lacks))
		}) {
			return false
		}
	}
	return true
}

// toExit: all entries are in the slice, and all that is between is the exit of a stretch or comes
// before it.
func (c *crossing) toExit(x *stretch) (slices.Ideal, bool, error) {
	return c.climb(c.core.Join(c.in), func(at slices.Ideal) (slices.Ideal, bool, error) { return c.beforeExit(x, at) })
}

// fromEntryToExit: both of these.
func (c *crossing) fromEntryToExit(m, x *stretch) (slices.Ideal, bool, error) {
	if !x.past.Has(m.entry) {
		return slices.Ideal{}, false, nil
	}
	return c.climb(c.beforeEntry(m).Join(x.past.Meet(m.before)), func(at slices.Ideal) (slices.Ideal, bool, error) {
		if at.Has(m.entry) {
			return at, false, nil
		}
		return c.beforeExit(x, at)
	})
}

// beforeExit returns the least slice above at that lacks of a slice of the goal nothing but what is
// the exit of a stretch or comes before it.
func (c *crossing) beforeExit(x *stretch, at slices.Ideal) (slices.Ideal, bool, error) {
	if at.Has(x.exit) {
		return at, false, nil
	}
	goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(x.past))
	if !ok || err != nil {
		return at, false, err
	}
	if stdslices.ContainsFunc(c.along, func(m *stretch) bool { return m.left(goal) && !c.net.Same(m.exit, x.exit) }) {
		return at, false, nil
	}
	for _, a := range c.lat.Maximal(goal) {
		if !x.past.Has(a) {
			at = at.Join(c.lat.Down(a))
		}
	}
	return at, !at.Has(x.exit), nil
}

// climb returns the least slice above at in which the tracks' tasks are where they are wanted and
// which step leads no further; false if step finds that there is none.
func (c *crossing) climb(
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

// manned reports whether the goal may be reached from a slice above from, by slices above at, and
// for each slot that is not assigned some task be where it is wanted on the way there.
func (c *crossing) manned(from, at slices.Ideal) (bool, error) {
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
		if p := &c.goal.left[i]; !c.assigned[p.slot] && !c.somePasses(p.allowed, at, hi) {
			return false, nil
		}
	}
	return true, nil
}

// somePasses reports whether some task passes one of its spans between the two.
func (e *evaluator) somePasses(w *requirement, lo, hi slices.Ideal) bool {
	return stdslices.ContainsFunc(w.tasks, func(t san.Task) bool { return e.passes(t, w.spans[t], lo, hi) })
}

// passes reports whether the task is in one of the spans in some slice between the two.
func (e *evaluator) passes(t san.Task, spans []span, lo, hi slices.Ideal) bool {
	state := stateIn(e.lat, lo, t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= state })
	if i == len(spans) {
		return false
	}
	in, ok := entry(e.net, t, spans[i].from)
	return !ok || hi.Has(in)
}
