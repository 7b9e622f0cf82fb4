package tlcheck

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// Of an until that waits for a conjunction, the slices that have something in common with those before the goal are closed under union and
// intersection, case by case (see goal.go), and so are those in which the core is true. So each case has a least slice, which sweeps find: of
// the core upwards and of the goal above that, in turn. Task variables that are not assigned yet ask for nothing, and then that is a lower bound.

// goal is a conjunction of local predicates that an until among a branch's rest waits for.
type goal struct {
	until  *formula.Node
	bad    *formula.Node        // its left side, false
	tracks map[int]*requirement // by slot
	wide   map[int]*requirement // likewise, of slices one action before
	whole  bool                 // the until waits for nothing else
}

// findGoals returns the goals of the branch: those of until with a local left side, unless that is to be false.
func (b *branch) findGoals(e *evaluator) ([]goal, error) {
	var goals []goal
	for _, n := range b.rest {
		if n.Kind != formula.Until || n.Complement || isSimple(n) || !n.Kids[0].Local {
			continue
		}
		parts := &branch{core: map[int][]*formula.Node{}}
		if parts.flatten(n.Kids[1:]) >= 0 {
			continue
		}
		if parts.finish(); len(parts.core) == 0 {
			continue
		}
		g := goal{n, n.Kids[0], map[int]*requirement{}, map[int]*requirement{}, len(parts.rest) == 0}
		for slot, nodes := range parts.core {
			var err error
			if g.tracks[slot], err = e.requirement(func(t san.Task) []span { return e.commonSpans(nodes, t) }); err != nil {
				return nil, err
			}
			if g.wide[slot], err = e.requirement(func(t san.Task) []span { return widen(e.net, t, e.commonSpans(nodes, t), 1, 0) }); err != nil {
				return nil, err
			}
		}
		goals = append(goals, g)
	}
	return goals, nil
}

// goalsLast has slots of goals that the core says nothing of assigned behind that of the left side: with it, and with the core, most tasks are
// out of the question.
func (b *branch) goalsLast() {
	waits := func(slot int) bool {
		return len(b.core[slot]) == 0 && stdslices.ContainsFunc(b.goals, func(g goal) bool { return g.tracks[slot] != nil && g.bad.Free[0] != slot })
	}
	order := stdslices.Clone(b.outer)
	stdslices.SortStableFunc(order, func(s, t int) int {
		switch s, t := waits(s), waits(t); {
		case s == t:
			return 0
		case t:
			return -1
		}
		return 1
	})
	b.outer = order
}

// onlyGoal returns the goal of the only node of the rest, if that waits for nothing else.
func (b *branch) onlyGoal() *goal {
	if len(b.rest) == 1 && len(b.goals) == 1 && b.goals[0].whole {
		return &b.goals[0]
	}
	return nil
}

// untilGoal searches a branch whose rest is an until that waits for a conjunction.
func (s *search) untilGoal(b *branch, g *goal, tracks []track) error {
	conjunction, ok := s.conjunction(g.until.Kids[1], s.env)
	if !ok {
		panic("tlcheck: the goal of an until is no conjunction")
	}
	set, err := s.set(g.until.Kids[1], s.env)
	if err != nil || set.IsEmpty() {
		return err
	}
	within := func(iv slices.Interval) error {
		if s.best != nil && !s.better(iv.Lowest()) {
			return s.stopped()
		}
		return s.sweep(b, b.inner, tracks, region{Interval: iv})
	}
	if s.speaksOfBad(b, g) {
		near := set
		if s.best != nil {
			near = near.Ranks(0, s.best.size+1)
		}
		if near, err = near.Next(s.budget); err != nil {
			return err
		}
		for _, iv := range near.Intervals() {
			if err := within(iv); err != nil {
				return err
			}
		}
	}
	return s.farFromGoal(g.bad, conjunction, set, s.env, within)
}

// speaksOfBad reports whether slices one action before the goal are to be looked at: there it is no matter which task the left side is about, and
// the first one has shown all that there is, unless anything else speaks of it.
func (s *search) speaksOfBad(b *branch, g *goal) bool {
	bad := g.bad.Free[0]
	return s.env[bad] == s.tasks[0] || len(b.core[bad]) > 0 || b.constrained(bad) || len(b.rest) > 1 || stdslices.Contains(g.until.Kids[1].Free, bad)
}

// attainable reports whether the TIVA so far can give a violation better than the best, as far as the goals tell; core is the least slice in which
// the core is true.
func (s *search) attainable(b *branch, tracks []track, core slices.Ideal) (bool, error) {
	for i := range b.goals {
		if ok, err := s.reachesGoal(b, &b.goals[i], tracks, core); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// reachesGoal is attainable for one goal.
func (s *search) reachesGoal(b *branch, g *goal, tracks []track, core slices.Ideal) (bool, error) {
	if !s.assigned[g.bad.Free[0]] {
		return true, nil
	}
	wanted := s.assignedTracks(nil, g.tracks)
	if stdslices.ContainsFunc(wanted, track.empty) {
		return false, nil
	}
	if s.speaksOfBad(b, g) {
		if ok, err := s.justBefore(g, tracks, wanted, core); ok || err != nil {
			return ok, err
		}
	}
	for _, st := range s.stretches(g.bad, s.env[g.bad.Free[0]]) {
		lo := core.Join(st.in)
		if !s.better(lo.Size() - 1) {
			break // later ones are larger
		}
		if st.ends && core.Has(st.exit) {
			continue
		}
		c := crossing{s, &st, g, tracks, wanted}
		if !s.better(lo.Size()) && !c.near(core.Join(st.in.Meet(st.before))) {
			continue
		}
		ok, err := c.manned(lo)
		if ok && err == nil {
			ok, err = c.better(core)
		}
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// justBefore reports whether a slice better than the best may be one action before the goal.
func (s *search) justBefore(g *goal, tracks, wanted []track, core slices.Ideal) (bool, error) {
	tracks = s.assignedTracks(tracks, g.wide)
	if stdslices.ContainsFunc(tracks, track.empty) {
		return false, nil
	}
	at, ok, err := least(s.budget, s.lat, tracks, core)
	if !ok || err != nil || !s.better(at.Size()) {
		return false, err
	}
	at, ok, err = least(s.budget, s.lat, wanted, at)
	return ok && s.better(at.Size()-1), err
}

// assignedTracks returns the tracks with what is wanted of the tasks in the assigned slots.
func (s *search) assignedTracks(tracks []track, wanted map[int]*requirement) []track {
	for slot, w := range wanted {
		if s.assigned[slot] {
			tracks = withTrack(tracks, s.env[slot], w.spans[s.env[slot]])
		}
	}
	return tracks
}

// crossing is the way from a slice in which the tracks' tasks are where they are wanted to one of the goal, along a stretch.
type crossing struct {
	*search
	*mark
	goal           *goal
	tracks, wanted []track // of the slice, of that of the goal
}

// better reports whether one that begins in a slice above core is better than the best violation.
func (c *crossing) better(core slices.Ideal) (bool, error) {
	cases := []func(slices.Ideal) (slices.Ideal, bool, error){c.below, c.fromEntry}
	if c.exitArrives() {
		cases = append(cases, c.toExit, c.fromEntryToExit)
	}
	for _, first := range cases {
		at, ok, err := first(core)
		if ok && err == nil && c.search.better(at.Size()) {
			ok, err = c.manned(at)
			if ok {
				return true, err
			}
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// exitArrives reports whether the exit takes some task of the goal to where it is wanted.
func (c *crossing) exitArrives() bool {
	if !c.ends {
		return false
	}
	exit := c.net.Canonical(c.exit)
	return stdslices.ContainsFunc(c.wanted, func(t track) bool {
		k := c.past.At(t.task)
		i := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].from >= k })
		if i == len(t.spans) {
			return false
		}
		e, ok := entry(c.net, t.task, t.spans[i].from)
		return ok && c.net.Canonical(e) == exit
	})
}

// below: the entry is in the slice, and the exit not in that of the goal.
func (c *crossing) below(core slices.Ideal) (slices.Ideal, bool, error) {
	at, ok, err := least(c.budget, c.lat, c.tracks, core.Join(c.in))
	if !ok || err != nil || !at.Leq(c.until) {
		return at, false, err
	}
	last, ok, err := greatest(c.budget, c.lat, c.wanted, c.until)
	return at, ok && at.Leq(last) && !at.Equal(last), err
}

// fromEntry: all that is between is the entry or comes after it.
func (c *crossing) fromEntry(core slices.Ideal) (slices.Ideal, bool, error) {
	if !c.starts {
		return core, false, nil
	}
	return c.climb(core, func(at slices.Ideal) (slices.Ideal, bool, error) {
		goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(c.in))
		return goal.Meet(c.before), ok && goal.Leq(c.until) && !at.Has(c.entry), err
	})
}

// near reports whether from a slice above at without the entry, better than the best, the entry and what comes after it can take a task to where it
// is wanted, for each slot of the goal.
func (c *crossing) near(at slices.Ideal) bool {
	for slot, w := range c.goal.tracks {
		tasks := w.tasks
		if c.assigned[slot] {
			tasks = c.env[slot : slot+1]
		}
		if !stdslices.ContainsFunc(tasks, func(t san.Task) bool {
			lacks := min(missing(w.spans[t], at, t), c.before.At(t)-at.At(t)) // of its events, those that do not come after the entry
			return c.search.better(at.Size() + max(0, lacks))
		}) {
			return false
		}
	}
	return true
}

// toExit: the entry is in the slice, and all that is between is the exit or comes before it.
func (c *crossing) toExit(core slices.Ideal) (slices.Ideal, bool, error) {
	if !c.ends {
		return core, false, nil
	}
	return c.climb(core.Join(c.in), c.beforeExit)
}

// fromEntryToExit: both of these.
func (c *crossing) fromEntryToExit(core slices.Ideal) (slices.Ideal, bool, error) {
	if !c.starts || !c.ends {
		return core, false, nil
	}
	return c.climb(core.Join(c.past.Meet(c.before)), func(at slices.Ideal) (slices.Ideal, bool, error) {
		if at.Has(c.entry) {
			return at, false, nil
		}
		return c.beforeExit(at)
	})
}

// beforeExit returns the least slice above at that lacks of a slice of the goal nothing but what is the exit or comes before it.
func (c *crossing) beforeExit(at slices.Ideal) (slices.Ideal, bool, error) {
	if at.Has(c.exit) {
		return at, false, nil
	}
	goal, ok, err := least(c.budget, c.lat, c.wanted, at.Join(c.past))
	if !ok || err != nil {
		return at, false, err
	}
	for _, a := range c.lat.Maximal(goal) {
		if !c.past.Has(a) {
			at = at.Join(c.lat.Down(a))
		}
	}
	return at, !at.Has(c.exit), nil
}

// climb returns the least slice above at in which the tracks' tasks are where they are wanted and which step leads no further; false if step finds
// that there is none.
func (c *crossing) climb(at slices.Ideal, step func(slices.Ideal) (slices.Ideal, bool, error)) (slices.Ideal, bool, error) {
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

// manned reports whether the goal may be reached above at, and for each slot of it that is not assigned some task be where it is wanted on the way
// there.
func (c *crossing) manned(at slices.Ideal) (bool, error) {
	hi := c.until
	if c.ends {
		hi = hi.Join(c.past) // the exit may lead to the goal
	}
	lo, ok, err := least(c.budget, c.lat, c.wanted, at)
	if ok && err == nil {
		hi, ok, err = greatest(c.budget, c.lat, c.wanted, hi)
	}
	if !ok || err != nil || !lo.Leq(hi) {
		return false, err
	}
	for slot, w := range c.goal.tracks {
		if !c.assigned[slot] && !stdslices.ContainsFunc(w.tasks, func(t san.Task) bool { return c.passes(t, w.spans[t], lo, hi) }) {
			return false, nil
		}
	}
	return true, nil
}

// passes reports whether the task is in one of the spans in some slice between the two.
func (c *crossing) passes(t san.Task, spans []span, lo, hi slices.Ideal) bool {
	state := stateIn(c.lat, lo, t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= state })
	if i == len(spans) {
		return false
	}
	e, ok := entry(c.net, t, spans[i].from)
	return !ok || hi.Has(e)
}
