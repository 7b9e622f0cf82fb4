package tlcheck

import (
	"errors"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// "p until q" of local p and q can be computed without sets (slices.Until handles the general
// case). Let p be false in the spans 0, 1, … of one task, span k entered by E(k) and left by X(k),
// and let e(j) be the entries of the spans of another in which q is true, the goals. A slice I one
// action before a goal satisfies it. For the others, goal j, with e(j) not in I, is open in I if no
// slice strictly between I and I ∪ ↓e(j) has the first task in a span; these are the goals that I
// can reach with p in between.
//
// Only the last span k with E(k) < e(j) matters, because to get to a later goal than that the task
// passes it:
//
//	I before E(k)               not open: I ∪ ↓E(k) is between
//	I in span k                 open iff all of ↓e(j) that I lacks comes after X(k)
//	I past X(k), in no span     open: up to e(j) no span follows
//	I in a later span           not open: the task stays there on the way
//
// Read for all goals: between X(k-1) and E(k) the goals that do not come after E(k) are open, and
// in span k the first goal, if any, that comes after X(k) and not after E(k+1) is the first to
// open. So each span and each gap between two gives one interval or a few.

// mark is a span of a task with the slices below and beside the actions at its ends.
type mark struct {
	entry, exit           san.Action
	starts, ends          bool         // whether there is an entry, an exit
	belowEntry, belowExit slices.Ideal // ↓entry, ↓exit; the latter only if it ends
	// the greatest slices without entry, without exit; the former only if it starts
	withoutEntry, withoutExit slices.Ideal
}

// marks returns the spans of a task in which a local node is true.
func (e *evaluator) marks(n *formula.Node, t san.Task) []mark {
	return e.marksOf(&e.memos[n.Number].marks, t, func() []span { return e.spans(n, t) })
}

// marksOf returns spans of a task with the actions at their ends. known caches them by task.
func (e *evaluator) marksOf(known *[][]mark, t san.Task, spans func() []span) []mark {
	if *known == nil {
		*known = make([][]mark, e.net.Tasks())
	}
	if (*known)[t] == nil {
		marks := []mark{}
		for _, s := range spans() {
			marks = append(marks, e.mark(t, s))
		}
		(*known)[t] = marks
	}
	return (*known)[t]
}

// mark returns a span of a task with the slices below and beside the actions at its ends.
func (e *evaluator) mark(t san.Task, s span) mark {
	m := mark{withoutExit: e.lat.Top()}
	if m.entry, m.starts = entry(e.net, t, s.from); m.starts {
		m.belowEntry, m.withoutEntry = e.lat.Down(m.entry), e.lat.NotAbove(m.entry)
	}
	if m.exit, m.ends = exit(e.net, t, s.to); m.ends {
		m.belowExit, m.withoutExit = e.lat.Down(m.exit), e.lat.NotAbove(m.exit)
	}
	return m
}

// entered reports whether the span has begun in a slice; it may have ended.
func (m *mark) entered(slice slices.Ideal) bool { return !m.starts || slice.Has(m.entry) }

// left reports whether the span has ended in a slice.
func (m *mark) left(slice slices.Ideal) bool { return m.ends && slice.Has(m.exit) }

// area is the set of the slices that contain floor, lie within roof, and contain turn, or do not,
// depending on side.
type area struct {
	floor, roof [2]slices.Ideal
	turn        slices.Ideal
	side        side
}

type side int8

const (
	anySide side = iota
	above        // contains turn
	notAbove
)

// interval returns the area, or for the side notAbove an interval that contains it; false if that
// is empty.
func (a *area) interval() (slices.Interval, bool) {
	iv := slices.Interval{Lo: a.floor[0].Join(a.floor[1]), Hi: a.roof[0].Meet(a.roof[1])}
	if a.side == above {
		iv.Lo = iv.Lo.Join(a.turn)
	}
	return iv, iv.Lo.Leq(iv.Hi)
}

// untilAreas calls yield with areas whose union is the set of the slices with an open goal, or, if
// not is set, of those without. It ignores whether slices are one action before a goal.
func (e *evaluator) untilAreas(bad, goals []mark, not bool, yield func(area) error) error {
	if len(goals) > 0 && !goals[0].starts {
		goals = goals[1:] // no slice lacks it
	}
	top := e.lat.Top()
	last := -1 // the last goal that does not come after span k
	for k := 0; k <= len(bad); k++ {
		first := last + 1
		for last+1 < len(goals) && (k == len(bad) || !e.comesBefore(&bad[k], &goals[last+1])) {
			last++
		}
		if k > 0 {
			if err := e.spanArea(&bad[k-1], goals[first:last+1], not, yield); err != nil {
				return err
			}
		}
		if k > 0 && !bad[k-1].ends || k < len(bad) && !bad[k].starts || !not && last < 0 {
			continue // no gap, or no goal
		}
		gap := area{roof: [2]slices.Ideal{top, top}}
		if k > 0 {
			gap.floor[0] = bad[k-1].belowExit
		}
		if k < len(bad) {
			gap.roof[0] = bad[k].withoutEntry
		}
		switch {
		case !not:
			gap.roof[1] = goals[last].withoutEntry
		case last >= 0:
			gap.floor[1] = goals[last].belowEntry
		}
		if err := yield(gap); err != nil {
			return err
		}
	}
	return nil
}

// spanArea yields the area of a span, given the goals that come after it and not after the next
// one.
func (e *evaluator) spanArea(m *mark, goals []mark, not bool, yield func(area) error) error {
	a := area{floor: [2]slices.Ideal{m.belowEntry}, roof: [2]slices.Ideal{m.withoutExit, e.lat.Top()}}
	for i := range goals {
		if m.ends && e.net.Known(goals[i].entry, m.exit.Task) >= int(m.exit.K) {
			// All that is missing of the goal comes after the exit.
			if a.turn, a.side = goals[i].belowEntry.Meet(m.withoutExit), above; not {
				a.side = notAbove
			}
			return yield(a)
		}
	}
	if !not {
		return nil
	}
	return yield(a)
}

// comesBefore reports whether the span is entered before the goal, and not by the same action.
func (e *evaluator) comesBefore(m, goal *mark) bool {
	return !m.starts || e.net.Precedes(m.entry, goal.entry)
}

// simpleUntil returns the only node of the rest if it is a simple until, else nil.
func (b *branch) simpleUntil() *formula.Node {
	if len(b.rest) == 1 && isSimple(b.rest[0]) {
		return b.rest[0]
	}
	return nil
}

// searchSimpleUntil searches a branch whose rest is a simple node.
func (s *search) searchSimpleUntil(b *branch, n *formula.Node, tracks []track) error {
	if !n.Complement {
		if bad := n.Kids[0].Free[0]; s.env[bad] == s.tasks[0] || b.refersTo(bad) {
			if err := s.nextToGoal(b, n.Kids[1], tracks); err != nil {
				return err
			}
		} // else the first task has covered everything
		return s.areas(n, false, s.env, func(a area) error { return s.searchOpenArea(b, tracks, &a) })
	}
	goals := s.marks(n.Kids[1], s.env[n.Kids[1].Free[0]])
	return s.areas(n, true, s.env, func(a area) error { return s.searchClosedArea(b, tracks, &a, goals) })
}

// refersTo reports whether anything but a temporal operator's left side refers to the slot.
func (b *branch) refersTo(slot int) bool {
	return len(b.core[slot]) > 0 || b.rest[0].Kids[1].Free[0] == slot || b.hasCondition(slot)
}

func (b *branch) hasCondition(slot int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool { return c.Left == slot || c.Right == slot })
}

// searchOpenArea searches an area of slices with an open goal. Most areas have no slice in which
// the core is true, or none that is better than the best, which their hulls show.
func (s *search) searchOpenArea(b *branch, tracks []track, a *area) error {
	for _, lo := range a.floor {
		if _, ok, err := s.mayImprove(b, lo, a.roof[:]); !ok {
			return err
		}
	}
	if slot, ok := s.onlySlot(b); ok && len(tracks) == 0 && a.side == anySide {
		s.searchShortlist(b, slot, a)
		return nil
	}
	iv, ok := a.interval()
	if !ok {
		return nil
	}
	return s.assignInner(b, b.inner, tracks, region{Interval: iv})
}

// searchClosedArea searches an area without open goals; slices one action before a goal do not
// count. If all candidates are above the entry of a goal, they are also above its exit, or the
// candidate is the greatest slice without that exit.
func (s *search) searchClosedArea(b *branch, tracks []track, a *area, goals []mark) error {
	entered := 0 // number of goals entered
	visit := func(lo slices.Ideal) (bool, error) {
		hull, ok, err := s.mayImprove(b, lo, a.roof[:])
		if !ok || a.side == notAbove && a.turn.Leq(hull) {
			return false, err
		}
		entered = max(entered, sort.Search(len(goals), func(i int) bool { return !goals[i].entered(hull) }))
		return true, nil
	}
	for _, lo := range a.floor {
		if ok, err := visit(lo); !ok {
			return err
		}
	}
	iv, ok := a.interval()
	if !ok {
		return nil
	}
	r := region{Interval: iv, not: true, goals: goals}
	if a.side == notAbove {
		r.ceiling = &a.turn
	}
	for entered > 0 {
		g := &goals[entered-1]
		if g.left(r.Lo) {
			break
		}
		if err := s.greatestWithout(b, tracks, &r, g.withoutExit); err != nil || !g.ends {
			return err
		}
		if ok, err := visit(g.belowExit); !ok {
			return err
		}
		if r.Lo = r.Lo.Join(g.belowExit); !r.Lo.Leq(r.Hi) {
			return nil
		}
	}
	return s.assignInner(b, b.inner, tracks, r)
}

// greatestWithout searches the greatest slice without the exit of a goal, if it is in the region.
func (s *search) greatestWithout(b *branch, tracks []track, r *region, last slices.Ideal) error {
	if !r.has(last) {
		return nil
	}
	h, err := b.hull(s, last)
	if err != nil || !h.slice.Equal(last) {
		return err
	}
	return s.assignInner(b, b.inner, tracks, region{Interval: slices.Interval{Lo: last, Hi: last}})
}

// nextToGoal searches the slices one action before a goal.
func (s *search) nextToGoal(b *branch, goal *formula.Node, tracks []track) error {
	set, err := s.oneBefore(goal, s.env)
	if err != nil {
		return err
	}
	for _, iv := range set.Intervals() {
		if _, ok, err := s.mayImprove(b, iv.Lo, []slices.Ideal{iv.Hi}); err != nil {
			return err
		} else if !ok {
			continue
		}
		if err := s.assignInner(b, b.inner, tracks, region{Interval: iv}); err != nil {
			return err
		}
	}
	return nil
}

// offerFar offers the least slice of a region in which the tracks' tasks are in their spans and
// which is not one action before a goal.
func (s *search) offerFar(tracks []track, r region) error {
	for {
		slice, ok, err := s.leastIn(tracks, r)
		if !ok || !s.better(slice.Size()) {
			return err
		}
		i := sort.Search(len(r.goals), func(i int) bool { return !r.goals[i].entered(slice) })
		if i > 0 && !r.goals[i-1].left(slice) && !slice.Equal(r.goals[i-1].withoutExit) {
			g := &r.goals[i-1]
			if last := g.withoutExit; r.has(last) {
				at, ok, err := least(s.budget, s.lat, tracks, last)
				if err != nil {
					return err
				}
				if ok && at.Equal(last) {
					s.offer(last)
				}
			}
			if !g.ends {
				return nil
			}
			r.Lo = slice.Join(g.belowExit)
			continue
		}
		if i < len(r.goals) {
			if at := slice.Join(r.goals[i].belowEntry); at.Size() == slice.Size()+1 {
				r.Lo = at
				continue
			}
		}
		s.offer(slice)
		return nil
	}
}

// untilsCanFail reports whether a violation better than the best may exist. An until that must be
// false is false only where no single action leads to its right side. That is a local predicate,
// which depends on fewer task variables than the until, so it is checked first.
func (s *search) untilsCanFail(b *branch, tracks []track) (bool, error) {
	for _, r := range b.rest {
		if r.Kind != formula.Until || !r.Complement || isSimple(r) || !r.Kids[1].Local ||
			!s.assigned[r.Kids[1].Free[0]] {
			continue
		}
		before, err := s.oneBefore(r.Kids[1], s.env)
		if err != nil {
			return false, err
		}
		out := func(at slices.Ideal) ([]slices.Ideal, error) { return before.Ascend(at, false), nil }
		_, ok, err := s.climber().firstFrom([]slices.Ideal{s.lat.Bottom()}, out, tracks, s.better)
		if !ok && !errors.Is(err, errSteep) {
			return false, err
		}
	}
	return true, nil
}

// oneBefore returns the slices one action before those in which a local node is true.
func (e *evaluator) oneBefore(n *formula.Node, env []san.Task) (slices.Set, error) {
	m, key := e.memos[n.Number], env[n.Free[0]]
	if s, ok := m.predecessors[key]; ok {
		return s, nil
	}
	s, err := e.set(n, env)
	if err != nil {
		return s, err
	}
	if s, err = s.Next(e.budget); err != nil {
		return s, err
	}
	if m.predecessors == nil {
		m.predecessors = map[san.Task]slices.Set{}
	}
	m.predecessors[key] = s
	e.intervals += 1 + len(s.Intervals())
	return s, e.check(s)
}

// isSimple reports whether the node is an until of two local predicates.
func isSimple(n *formula.Node) bool {
	return n.Kind == formula.Until && n.Kids[0].Local && n.Kids[1].Local
}

// areas calls untilAreas for a simple node.
func (e *evaluator) areas(n *formula.Node, not bool, env []san.Task, yield func(area) error) error {
	bad, goal := n.Kids[0], n.Kids[1]
	return e.untilAreas(e.marks(bad, env[bad.Free[0]]), e.marks(goal, env[goal.Free[0]]), not, yield)
}

// localUntil returns the set of a simple node; goal has the slices in which q is true.
func (e *evaluator) localUntil(n *formula.Node, goal slices.Set, env []san.Task) (slices.Set, error) {
	s, err := goal.Next(e.budget)
	if err != nil {
		return s, err
	}
	var ivs []slices.Interval
	err = e.areas(n, false, env, func(a area) error {
		if iv, ok := a.interval(); ok {
			ivs = append(ivs, iv)
		}
		return e.stopped()
	})
	if err != nil {
		return s, err
	}
	return s.Union(e.budget, e.lat.SetOfDisjoint(ivs))
}
