package tlcheck

import (
	"cmp"
	"errors"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// violation is a slice and a TIVA in which the property is false.
type violation struct {
	slice slices.Ideal
	size  int        // number of actions in slice
	tiva  []san.Task // of the free TIVs, in order
}

// search finds the violation with the fewest actions, or with the most; ties go to the first TIVA,
// then to the first index vector. Type branch defines its terms.
type search struct {
	*evaluator
	formula        *formula.Formula
	initially      bool // only the initial slice counts
	last           bool // the violation with the most actions is wanted
	hasJointAction bool // some action is joint
	anyViolation   bool // the first violation found ends the search
	best           *violation

	sections *slices.Sections // if not nil, only slices that respect mutual exclusion count

	branches []*branch
	done     int     // number of decided branches
	covered  float64 // decided share of the branch's TIVAs

	// State of the current TIVA:
	env      []san.Task // by slot
	assigned []bool     // by slot
	room     []san.Task // buffer of tiva

	children [][]san.Task // by task; see createdBy
}

// stopped returns why the search must stop; nil while it may continue.
func (s *search) stopped() error {
	if s.anyViolation && s.best != nil {
		return errFound
	}
	return s.evaluator.stopped()
}

// start allocates the state of the current TIVA.
func (s *search) start() {
	slots := len(s.formula.Set.Names)
	s.env, s.assigned = make([]san.Task, slots), make([]bool, slots)
}

func (s *search) run() error {
	s.start()
	switch {
	case s.last:
		return s.runLast()
	case !s.initially:
		s.branches = s.beforeGoals(s.branches)
	}
	return s.search(s.branches)
}

func (s *search) search(branches []*branch) error {
	for _, b := range branches {
		s.covered = 0
		if refuted, err := s.refutedByProjection(b); err != nil {
			return err
		} else if refuted {
			s.done++
			continue
		}
		if err := b.prepare(s.evaluator); err != nil {
			return err
		}
		s.expect(b.items)
		// A set that depends on everything that varies is used once and not kept.
		s.vary = b.needs + s.formula.Slots - len(s.formula.Free)
		err := s.branch(b)
		b.base, b.tracks, b.aheads, b.goals, b.hulls, b.shortlists = nil, nil, nil, nil, nil, nil
		if err != nil {
			return err
		}
		s.done++
	}
	return nil
}

func (s *search) branch(b *branch) error {
	if s.initially {
		return s.searchInitial(b, stdslices.Concat(b.outer, b.inner))
	}
	if ordered, err := s.excludedByOrder(b); ordered || err != nil {
		return err
	}
	if stdslices.ContainsFunc(b.base, track.empty) {
		return nil
	}
	return s.assign(b, b.outer, b.base, 1)
}

// each tries every task for a slot that can give a violation better than the best.
func (s *search) each(b *branch, slot int, try func(san.Task) error) error {
	first := !stdslices.Contains(s.assigned, true)
	s.assigned[slot] = true
	defer func() { s.assigned[slot], s.env[slot] = false, 0 }()
	w := b.tracks[slot]
	tasks := s.candidates(b, slot)
	for i, t := range tasks {
		if err := s.stopped(); err != nil {
			return err
		}
		if first {
			s.covered = max(s.covered, float64(i)/float64(len(tasks)))
		}
		s.report(s.evaluator.intervals)
		if w != nil && w.twin >= 0 && t < s.env[w.twin] {
			continue
		}
		s.env[slot] = t
		if !s.condsHold(b, slot) {
			continue
		}
		if err := try(t); err != nil {
			return err
		}
	}
	return s.stopped()
}

// tiva returns the tasks of the free TIVs, in a buffer that the next call reuses. Unassigned slots
// stand for the first task, which yields the first TIVA.
func (s *search) tiva() []san.Task {
	s.room = s.room[:0]
	for _, slot := range s.formula.Free {
		s.room = append(s.room, s.env[slot])
	}
	return s.room
}

// condsHold reports whether the conditions between the slot and those assigned hold.
func (s *search) condsHold(b *branch, slot int) bool {
	for _, c := range b.conds {
		if (c.Left == slot || c.Right == slot) && s.assigned[c.Left] && s.assigned[c.Right] && !s.holds(c, s.env) {
			return false
		}
	}
	return true
}

// assign assigns the remaining outer slots; tracks has the core's requirements on the tasks so far.
func (s *search) assign(b *branch, slots []int, tracks []track, share float64) error {
	if len(slots) == 0 {
		err := s.afterOuter(b, tracks)
		if err == nil {
			s.covered += share
		}
		return err
	}
	share /= float64(len(s.tasks))
	decided := s.covered + share*float64(len(s.tasks))
	err := s.each(b, slots[0], func(t san.Task) error {
		next, ok, err := s.withTask(b, slots[0], t, tracks)
		if !ok || err != nil {
			return err
		}
		return s.assign(b, slots[1:], next, share)
	})
	if err == nil {
		s.covered = decided
	}
	return err
}

// withTask adds the core's requirement on the task in an outer slot to the tracks; false if that
// admits no violation better than the best.
func (s *search) withTask(b *branch, slot int, t san.Task, tracks []track) ([]track, bool, error) {
	if s.last {
		return s.follow(b, slot, t, tracks, slices.Interval{Hi: s.lat.Top()})
	}
	if w := b.tracks[slot]; w != nil {
		if tracks = withTrack(tracks, t, w.spans[t]); tracks[len(tracks)-1].empty() {
			return nil, false, nil
		}
	}
	ok, err := s.mayBeBetter(b, tracks, slot)
	return tracks, ok, err
}

// mayBeBetter reports whether the TIVA so far can give a violation better than the best; slot was
// assigned last.
func (s *search) mayBeBetter(b *branch, tracks []track, slot int) (bool, error) {
	if s.best != nil && !s.better(s.atLeast(b, b.tracks, tracks)) {
		return false, nil
	}
	slice, ok, err := s.least(tracks, s.lat.Bottom())
	if err != nil {
		return false, err
	}
	if !ok || s.best != nil && !s.better(slice.Size()) {
		return false, nil
	}
	if s.tooFar(b, slot, s.env[slot]) {
		return false, nil
	}
	if ok, err := s.passesLookaheads(b); !ok || err != nil {
		return false, err
	}
	if ok, err := s.goalsAttainable(b, tracks, slice); !ok || err != nil {
		return false, err
	}
	for _, r := range b.rest {
		if !s.isSteep(r) && len(r.Free) > 0 && len(r.Free) < s.vary && s.isLastFree(r, slot) {
			set, err := s.set(r, s.env)
			if err != nil || set.IsEmpty() {
				return false, err
			}
		}
	}
	return s.untilsCanFail(b, tracks)
}

// isLastFree reports whether the slot is the last one on which the node depends.
func (s *search) isLastFree(n *formula.Node, slot int) bool {
	return stdslices.Contains(n.Free, slot) &&
		!stdslices.ContainsFunc(n.Free, func(f int) bool { return !s.assigned[f] })
}

// better reports whether a violation with at least size actions (at most, if last is set) can beat
// the best one, if its TIVA begins with the tasks in the assigned slots.
func (s *search) better(size int) bool {
	if s.best == nil || size != s.best.size {
		return s.best == nil || (size < s.best.size) != s.last
	}
	for i, slot := range s.formula.Free {
		t := s.env[slot]
		if !s.assigned[slot] {
			t = 0
		}
		if c := cmp.Compare(t, s.best.tiva[i]); c != 0 {
			return c < 0
		}
	}
	return true
}

// afterOuter continues once the outer slots are assigned. It climbs to where the rest is true, or
// computes the set of the rest and searches that. Neither is always faster, so it tries both with a
// small limit before either may take long.
func (s *search) afterOuter(b *branch, tracks []track) error {
	if !s.climbs(b) {
		return s.searchRest(b, tracks)
	}
	if err := s.climb(b, tracks, shortClimb); !errors.Is(err, errSteep) {
		return err
	}
	var large *slices.IntervalsError
	if err := s.searchSmall(b, tracks); !errors.As(err, &large) {
		return err
	}
	if err := s.climb(b, tracks, 0); !errors.Is(err, errSteep) {
		return err
	}
	return s.searchRest(b, tracks)
}

// searchSmall is searchRest with a small budget of intervals.
func (s *search) searchSmall(b *branch, tracks []track) error {
	outer := s.budget.Intervals
	defer func() { s.budget.Intervals = outer }()
	if few := s.evaluator.intervals + fewIntervals; outer == 0 || few < outer {
		s.budget.Intervals = few
	}
	return s.searchRest(b, tracks)
}

// searchRest computes the set of the rest and searches it.
func (s *search) searchRest(b *branch, tracks []track) error {
	if s.last {
		return s.searchLast(b, tracks)
	}
	if n := b.simpleUntil(); n != nil {
		return s.searchSimpleUntil(b, n, tracks)
	}
	if g := b.onlyGoal(); g != nil {
		return s.untilGoal(b, g, tracks)
	}
	if len(b.aheads) > 0 {
		if ok, err := s.mayCompleteBetter(b, b.inner); !ok || err != nil {
			return err
		}
	}
	set, err := s.restSet(b)
	if err != nil {
		return err
	}
	for _, iv := range set.Intervals() {
		if s.best != nil && !s.better(iv.Lowest()) {
			continue
		}
		if err := s.assignInner(b, b.inner, tracks, region{Interval: iv}); err != nil {
			return err
		}
	}
	return nil
}

// searchInitial examines the initial slice only.
func (s *search) searchInitial(b *branch, slots []int) error {
	if len(slots) == 0 {
		for _, n := range b.items {
			if in, err := s.contains(n, s.env, s.lat.Bottom()); err != nil || !in {
				return err
			}
		}
		s.offer(s.lat.Bottom())
		return nil
	}
	return s.each(b, slots[0], func(san.Task) error {
		if s.best != nil && !s.better(0) {
			return nil
		}
		for _, n := range b.items {
			if !s.isLastFree(n, slots[0]) {
				continue
			}
			if in, err := s.contains(n, s.env, s.lat.Bottom()); err != nil || !in {
				return err
			}
		}
		return s.searchInitial(b, slots[1:])
	})
}

// offer makes the slice with the current TIVA the best violation if it is better.
func (s *search) offer(slice slices.Ideal) {
	size, tiva := slice.Size(), s.tiva()
	if !s.better(size) {
		return
	}
	v := &violation{slice: slice, size: size, tiva: stdslices.Clone(tiva)}
	if s.best == nil || size != s.best.size || stdslices.Compare(tiva, s.best.tiva) < 0 || slice.Before(s.best.slice) {
		s.best = v
	}
}

// candidates returns the tasks that the slot can stand for, ascending: one if a condition
// determines it, the children of a task if a condition says so, else those that are in a span of
// the core.
func (s *search) candidates(b *branch, slot int) []san.Task {
	tasks := s.tasks
	if w := b.tracks[slot]; w != nil {
		tasks = w.tasks
	}
	for _, c := range b.conds {
		if c.Caller && !c.Differ && c.Right == slot && c.Left != slot && s.assigned[c.Left] {
			return intersectTasks(s.createdBy(s.env[c.Left]), tasks)
		}
		only, fixed := s.onlyTask(c, slot)
		if !fixed {
			continue
		}
		if i, ok := stdslices.BinarySearch(tasks, only); ok {
			return tasks[i : i+1]
		}
		return nil
	}
	return tasks
}

func (s *search) createdBy(task san.Task) []san.Task {
	if s.children == nil {
		s.children = make([][]san.Task, s.net.Tasks())
		for child := range san.Task(s.net.Tasks()) {
			if parent, ok := s.net.Parent(child); ok {
				s.children[parent] = append(s.children[parent], child)
			}
		}
	}
	return s.children[task]
}

// intersectTasks returns the tasks that are in two ascending lists.
func intersectTasks(few, many []san.Task) []san.Task {
	var in []san.Task
	for _, t := range few {
		if _, ok := stdslices.BinarySearch(many, t); ok {
			in = append(in, t)
		}
	}
	return in
}

// onlyTask returns the only task with which the slot meets the condition, -1 if there is none;
// false if there may be several.
func (s *search) onlyTask(c formula.Cond, slot int) (san.Task, bool) {
	switch {
	case c.Differ || c.Left == c.Right:
		return 0, false
	case c.Left == slot && s.assigned[c.Right] && c.Caller:
		if parent, ok := s.net.Parent(s.env[c.Right]); ok {
			return parent, true
		}
		return -1, true
	case c.Left == slot && s.assigned[c.Right]:
		return s.env[c.Right], true
	case c.Right == slot && s.assigned[c.Left] && !c.Caller:
		return s.env[c.Left], true
	}
	return 0, false
}

// isFixed reports whether a condition determines the task of the slot.
func (s *search) isFixed(b *branch, slot int) bool {
	return stdslices.ContainsFunc(b.conds, func(c formula.Cond) bool {
		_, fixed := s.onlyTask(c, slot)
		return fixed
	})
}
