package tlcheck

import (
	"cmp"
	stdslices "slices"
	"sort"

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

// search looks for the violation with the fewest actions, or with the most; ties go to the
// first TIVA, then to the first index vector.
type search struct {
	*evaluator
	formula   *formula.Formula
	initially bool // only the initial slice counts
	last      bool // the most actions are wanted
	joint     bool // some action is joint
	best      *violation

	branches []*branch
	done     int     // branches decided
	covered  float64 // share of the TIVAs of the branch that are decided

	// Of the TIVA that is being tried:
	env      []san.Task // by slot
	assigned []bool     // by slot
	room     []san.Task // see tiva
}

// start makes room for the TIVA that is being tried.
func (s *search) start() {
	slots := len(s.formula.Set.Names)
	s.env, s.assigned = make([]san.Task, slots), make([]bool, slots)
}

func (s *search) run() error {
	s.start()
	if s.last {
		return s.runLast()
	}
	return s.search(s.branches)
}

// search searches the branches.
func (s *search) search(branches []*branch) error {
	for _, b := range branches {
		s.covered = 0
		if err := b.prepare(s.evaluator); err != nil {
			return err
		}
		s.expect(b.items)
		// A set that depends on all that varies is needed once and not kept.
		s.vary = len(b.outer) + s.formula.Slots - len(s.formula.Free)
		err := s.branch(b)
		b.base, b.tracks, b.hulls, b.shortlists = nil, nil, nil, nil
		if err != nil {
			return err
		}
		s.done++
	}
	return nil
}

func (s *search) branch(b *branch) error {
	if s.initially {
		return s.initial(b, stdslices.Concat(b.outer, b.inner))
	}
	if ordered, err := s.ordered(b); ordered || err != nil {
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
		if !s.admitted(b, slot) {
			continue
		}
		if err := try(t); err != nil {
			return err
		}
	}
	return nil
}

// tiva returns the tasks of the free TIVs, until it is called again. Slots that are not assigned stand for the first
// task, which is the first TIVA.
func (s *search) tiva() []san.Task {
	s.room = s.room[:0]
	for _, slot := range s.formula.Free {
		s.room = append(s.room, s.env[slot])
	}
	return s.room
}

// admitted reports whether the conditions between the slot and those assigned hold.
func (s *search) admitted(b *branch, slot int) bool {
	for _, c := range b.conds {
		if (c.Left == slot || c.Right == slot) && s.assigned[c.Left] && s.assigned[c.Right] && !s.holds(c, s.env) {
			return false
		}
	}
	return true
}

// assign assigns the outer slots that are left; tracks is what the core wants of the
// tasks so far.
func (s *search) assign(b *branch, slots []int, tracks []track, share float64) error {
	if len(slots) == 0 {
		err := s.outerDone(b, tracks)
		if err == nil {
			s.covered += share
		}
		return err
	}
	share /= float64(len(s.tasks))
	decided := s.covered + share*float64(len(s.tasks))
	err := s.each(b, slots[0], func(t san.Task) error {
		next, ok, err := s.with(b, slots[0], t, tracks)
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

// with adds what the core wants of the task in an outer slot to the tracks; false if no violation
// can come of it that is better than the best.
func (s *search) with(b *branch, slot int, t san.Task, tracks []track) ([]track, bool, error) {
	if s.last {
		return s.follow(b, slot, t, tracks, slices.Interval{Hi: s.lat.Top()})
	}
	if w := b.tracks[slot]; w != nil {
		if tracks = withTrack(tracks, t, w.spans[t]); tracks[len(tracks)-1].empty() {
			return nil, false, nil
		}
	}
	ok, err := s.possible(b, tracks, slot)
	return tracks, ok, err
}

// possible reports whether the TIVA so far, of which the slot was assigned last, can give a
// violation better than the best.
func (s *search) possible(b *branch, tracks []track, slot int) (bool, error) {
	if s.best != nil && !s.better(s.atLeast(b, tracks)) {
		return false, nil
	}
	slice, ok, err := least(s.budget, s.lat, tracks, s.lat.Bottom())
	if err != nil {
		return false, err
	}
	if !ok || s.best != nil && !s.better(slice.Size()) {
		return false, nil
	}
	for _, r := range b.rest {
		if len(r.Free) > 0 && len(r.Free) < s.vary && s.complete(r, slot) {
			set, err := s.set(r, s.env)
			if err != nil || set.IsEmpty() {
				return false, err
			}
		}
	}
	return true, nil
}

// complete reports whether the slot is the last one that the node waited for.
func (s *search) complete(n *formula.Node, slot int) bool {
	return stdslices.Contains(n.Free, slot) &&
		!stdslices.ContainsFunc(n.Free, func(f int) bool { return !s.assigned[f] })
}

// better reports whether a violation with at least that many actions, or at most that many if
// the most are wanted, and a TIVA like that so far can come before the best.
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

// outerDone computes the set of the rest and searches it.
func (s *search) outerDone(b *branch, tracks []track) error {
	if s.last {
		return s.searchLast(b, tracks)
	}
	if n := b.simpleUntil(); n != nil {
		return s.untils(b, n, tracks)
	}
	set, err := s.restOf(b)
	if err != nil {
		return err
	}
	for _, iv := range set.Intervals() {
		if s.best != nil && !s.better(iv.Lowest()) {
			continue
		}
		if err := s.sweep(b, b.inner, tracks, region{Interval: iv}); err != nil {
			return err
		}
	}
	return nil
}

// region is an interval of slices without some that do not count.
type region struct {
	slices.Interval
	lid   *slices.Ideal // those above it, if there is one
	not   bool          // and those one action before a goal
	goals []mark
}

// has reports whether a slice is in the region's interval and not above its lid.
func (r *region) has(slice slices.Ideal) bool {
	return r.Contains(slice) && (r.lid == nil || !r.lid.Leq(slice))
}

// restOf returns the set of the rest; all slices if there is no rest.
func (s *search) restOf(b *branch) (slices.Set, error) {
	if len(b.rest) == 0 {
		return s.all, nil
	}
	return s.and(s.restrained(b), s.env)
}

// restrained returns the rest and, if sets are to be taken away from others, the core of the
// outer slots: what is left of little is less than what is left of all.
func (s *search) restrained(b *branch) []*formula.Node {
	if !stdslices.ContainsFunc(b.rest, func(n *formula.Node) bool { return n.Complement }) {
		return b.rest
	}
	var nodes []*formula.Node
	for _, slot := range b.outer {
		nodes = append(nodes, b.core[slot]...)
	}
	return append(nodes, b.rest...)
}

// sweep assigns the inner slots that are left, looking at the slices of a region.
func (s *search) sweep(b *branch, slots []int, tracks []track, r region) error {
	if len(slots) == 0 {
		return s.offerLeast(tracks, r)
	}
	slot := slots[0]
	w := b.tracks[slot]
	return s.each(b, slot, func(t san.Task) error {
		if w == nil { // only conditions speak of it
			return s.sweep(b, slots[1:], tracks, r)
		}
		if len(b.rest) > 0 && !crosses(w.spans[t], r.Interval, t) {
			return nil
		}
		next := withTrack(tracks, t, w.spans[t])
		if next[len(next)-1].empty() {
			return nil
		}
		if s.best != nil && !s.better(max(s.atLeast(b, next), r.Lowest(), r.Lo.Size()+missing(w.spans[t], r.Lo, t))) {
			return nil
		}
		slice, ok, err := s.leastIn(next, r)
		if !ok || s.best != nil && !s.better(slice.Size()) {
			return err
		}
		return s.sweep(b, slots[1:], next, r)
	})
}

// missing returns how many events of its own the task must have beyond a slice to be in one
// of its spans.
func missing(spans []span, slice slices.Ideal, t san.Task) int {
	at := slice.At(t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= at })
	if i == len(spans) {
		return 0
	}
	return max(0, spans[i].from-at)
}

// crosses reports whether the task has the states of a span in the slices of the interval.
func crosses(spans []span, iv slices.Interval, t san.Task) bool {
	lo, hi := iv.Lo.At(t), iv.Hi.At(t)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= lo })
	return i < len(spans) && spans[i].from <= hi
}

// leastIn returns the least slice of the region's interval in which the tracks' tasks are
// where they are wanted; false if the region has none such.
func (s *search) leastIn(tracks []track, r region) (slices.Ideal, bool, error) {
	slice, ok, err := least(s.budget, s.lat, tracks, r.Lo)
	ok = ok && slice.Leq(r.Hi) && (!r.Ranked() || slice.Size() <= r.Highest())
	return slice, ok && (r.lid == nil || !r.lid.Leq(slice)), err
}

// offerLeast offers the least slice of the region in which the tracks' tasks are where they
// are wanted.
func (s *search) offerLeast(tracks []track, r region) error {
	if r.not {
		return s.offerFar(tracks, r)
	}
	slice, ok, err := s.leastIn(tracks, r)
	switch {
	case !ok:
		return err
	case r.Contains(slice):
		s.offer(slice)
		return nil
	}
	// It has too few actions, others may have enough.
	set, err := s.where(tracks, r.Interval)
	if err != nil {
		return err
	}
	if slice, ok := set.Least(); ok {
		s.offer(slice)
	}
	return nil
}

// where returns the slices of the interval in which the tracks' tasks are where they are wanted.
func (s *search) where(tracks []track, iv slices.Interval) (slices.Set, error) {
	set := s.lat.Set(iv)
	for _, t := range tracks {
		var err error
		if set, err = set.Intersect(s.budget, s.lat.Set(s.intervals(t)...)); err != nil {
			return set, err
		}
		if err := s.check(set); err != nil {
			return set, err
		}
	}
	return set, nil
}

// intervals returns the slices in which the track's task is where it is wanted.
func (s *search) intervals(t track) []slices.Interval {
	var ivs []slices.Interval
	for _, sp := range t.spans {
		if sp.from == uncreated {
			ivs = append(ivs, s.lat.Uncreated(t.task).Intervals()...)
			sp.from = 0
		}
		if sp.from <= sp.to {
			ivs = append(ivs, s.lat.Containing(t.task, sp.from, sp.to))
		}
	}
	return ivs
}

// initial looks at the initial slice only.
func (s *search) initial(b *branch, slots []int) error {
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
			if !s.complete(n, slots[0]) {
				continue
			}
			if in, err := s.contains(n, s.env, s.lat.Bottom()); err != nil || !in {
				return err
			}
		}
		return s.initial(b, slots[1:])
	})
}

// offer makes the violation the best one if it is.
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

// representatives returns the tasks that TIVs need be tried with, in order. Tasks for
// which every atom gives the same, no slice or all slices, are exchangeable; of
// each such class as many stay as there are slots, because conditions can make at
// most that many different. The first ones stay, so that the first TIVA does.
func representatives(b slices.Budget, f *formula.Formula, atoms *atomTable) ([]san.Task, error) {
	net := atoms.net
	leaves, callers := leavesOf(f)
	var tasks []san.Task
	members := map[string]int{}
	for task := range san.Task(net.Tasks()) {
		if err := b.Err(); err != nil {
			return nil, err
		}
		class, own := "", true
		if !callers {
			class, own = signature(leaves, atoms, task)
		}
		if !own {
			members[class]++
		}
		if own || members[class] <= max(f.Slots, 1) {
			tasks = append(tasks, task)
		}
	}
	return tasks, nil
}

// leavesOf returns the nodes of atoms, and whether some condition asks who created a task.
func leavesOf(f *formula.Formula) (leaves []*formula.Node, callers bool) {
	for _, n := range f.Nodes {
		if n.Kind == formula.Atom {
			leaves = append(leaves, n)
		}
		callers = callers || stdslices.ContainsFunc(n.Conds, func(c formula.Cond) bool { return c.Caller })
	}
	return leaves, callers
}

// signature tells how the atoms behave for the task; own if one does so in a way of
// its own.
func signature(leaves []*formula.Node, atoms *atomTable, task san.Task) (class string, own bool) {
	var sig []byte
	for _, l := range leaves {
		r := atoms.reach(l, task)
		if r == reachSome {
			return "", true
		}
		sig = append(sig, byte(r))
	}
	return string(sig), false
}
