package onthefly

import (
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// guardedUntil is "c and (p until q)" of local p and q at the top of a property. New open intervals
// of c, in[0], contain new local states; in[1] and in[2] are those of until. It only matters
// whether each TIVA has a violation. So among the open intervals of c that are compatible with a
// gap, one for each TIVA is held and waits for a goal. Every later goal is open in all of them.
//
// With many tasks, most pairs of new and kept items are unrelated. So new items are counted once
// (graph.count), and all kept items are compared with the counts.
type guardedUntil struct {
	untilState
	core  joinSide
	close conjunction // of c and the slices one action before a goal

	conds     []formula.Cond // on the tasks of a violation, as far as known here
	initially bool           // only the slice before all events counts

	// open are those of core with an exit that had not happened when last examined. The others are
	// in past of the gaps after all rows that end in them.
	open []*openInterval

	// The open intervals that the gap before the first row holds for a task that is not created
	// yet, and those that had a goal since, by TIVA: each new task adds such slices.
	forFutureTasks waitingIntervals
	latent         orderedMap[intervalPair]

	needed map[san.Task]bool // tasks with obligations; see holds

	late  []taskGap // gaps after rows that a goal follows, the first goal of its task
	known []int32   // buffer of counts
}

// taskGap is a gap of a task.
type taskGap struct {
	task san.Task
	gap  *gap
}

func newGuardedUntil(w untilState, conds []formula.Cond, initially bool) *guardedUntil {
	n := &guardedUntil{untilState: w, conds: conds, initially: initially}
	n.apart = slotsWith(conds, w.bad, w.goal)
	return n
}

// slotsWith returns some slots and those of conditions, ascending.
func slotsWith(conds []formula.Cond, slots ...int) []int {
	for _, c := range conds {
		slots = append(slots, c.Left, c.Right)
	}
	stdslices.Sort(slots)
	return stdslices.Compact(slots)
}

func (n *guardedUntil) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	fresh := n.close.meet(v, [][]*openInterval{in[0], nextNode{1}.below(v, in[2])})
	report := func(p, q *openInterval) {
		if p == nil {
			return
		}
		if m, ok := v.meet(p, q); ok {
			fresh = append(fresh, m)
		}
	}
	for t, g := range n.extend(v, in[1]) {
		if int(t) >= v.before && g.row == nil {
			n.startTask(v, t, g, report)
		}
		n.known = v.count(g.start(), n.known)
		goals := n.unknown()
		for _, c := range n.core.intervals {
			if !c.isOver(n.known) {
				n.hold(v, t, g, c, goals, report)
			}
		}
	}
	for _, c := range in[0] {
		n.known = v.count(c.low, n.known)
		goals := n.unknown()
		n.overlap(v, c, goals, report)
		n.holdForFuture(c, goals)
	}
	n.core.add(in[0])
	n.finish(v, in[0])
	for _, goal := range in[2] {
		for _, c := range n.forFutureTasks.held.values {
			if len(goal.low) > 0 && !v.has(c.low, goal.entry()) {
				n.notePair(c, goal)
			}
		}
	}
	n.arrive(v, in[2], func(t san.Task, g *gap, goal *openInterval) {
		if len(g.held.held.values) == 0 {
			return
		}
		p := n.between(v, t, g, goal)
		for _, c := range g.held.held.values {
			if p != nil && n.admits(v, t, goal.tiva[n.goal], c) {
				report(p, c)
			}
		}
	}, func(t san.Task, g *gap, _ *openInterval) { n.late = append(n.late, taskGap{t, g}) },
		func(goal *openInterval) { n.rows(v, goal, report) })
	n.forget(v)
	return fresh, nil
}

// unknown returns the tasks with goals that the slice counted last lacks.
func (n *guardedUntil) unknown() (tasks []san.Task) {
	for w, goals := range n.goals {
		if last := len(goals) - 1; last >= 0 && !below(goals[last].entry(), n.known) {
			tasks = append(tasks, san.Task(w))
		}
	}
	return tasks
}

// admits reports whether t can be the task of p, and w that of the goal unless it is anyTask, where
// an open interval of c is true.
func (n *guardedUntil) admits(v *version, t, w san.Task, c *openInterval) bool {
	if !n.admitsTask(c, t) {
		return false
	}
	if w == anyTask {
		w = c.tiva[n.goal]
	} else if c.tiva[n.goal] != anyTask && c.tiva[n.goal] != w || n.bad == n.goal && w != t {
		return false
	}
	return v.admitsTasks(n.conds, func(slot int) san.Task {
		switch slot {
		case n.bad:
			return t
		case n.goal:
			return w
		}
		return c.tiva[slot]
	})
}

// finish takes open intervals. Those whose exits have all happened wait for goals after the rows
// that end in them.
func (n *guardedUntil) finish(v *version, fresh []*openInterval) {
	n.open = stdslices.DeleteFunc(append(n.open, fresh...), func(c *openInterval) bool {
		if len(c.out) == 0 || stdslices.ContainsFunc(c.out, func(x *exit) bool { return !x.happened }) {
			return false
		}
		n.leave(v, c)
		return true
	})
}

// holdForFuture holds an open interval of c for future tasks. It pairs it with the latest goal of
// each of the tasks in goals, which have goals that it lacks.
func (n *guardedUntil) holdForFuture(c *openInterval, goals []san.Task) {
	if n.initially && !c.hasInitial || c.tiva[n.bad] != anyTask || n.bad == n.goal && c.tiva[n.goal] != anyTask {
		return
	}
	if neverHolds(n.conds, c.tiva, n.bad) {
		return
	}
	n.forFutureTasks.keep(n.apart, c)
	for _, w := range goals {
		n.notePair(c, n.goals[w][len(n.goals[w])-1])
	}
}

// notePair records that a goal is open in an open interval of c, which lacks it.
func (n *guardedUntil) notePair(c, goal *openInterval) {
	w := goal.tiva[n.goal]
	if n.bad == n.goal || c.tiva[n.goal] != anyTask && c.tiva[n.goal] != w {
		return
	}
	n.keepPair(intervalPair{c, goal})
}

// keepPair keeps a pair in place of one that differs only in tasks that no condition names.
func (n *guardedUntil) keepPair(l intervalPair) {
	key := n.apart.key(l.held)
	if n.asks(n.goal) {
		key += tivaKey(l.goal.tiva)
	}
	n.latent.put(key, l)
}

// asks reports whether a condition names a slot.
func (n *guardedUntil) asks(slot int) bool {
	return stdslices.ContainsFunc(n.conds, func(c formula.Cond) bool { return c.Left == slot || c.Right == slot })
}

// startTask gives the first gap of a new task the open intervals that were held for it.
func (n *guardedUntil) startTask(v *version, t san.Task, g *gap, report func(p, q *openInterval)) {
	g.held = waitingIntervals{n.forFutureTasks.held.clone(), n.forFutureTasks.newer.clone()}
	for _, l := range n.latent.values {
		if n.admits(v, t, l.goal.tiva[n.goal], l.held) {
			report(n.between(v, t, g, l.goal), l.held)
		}
	}
}

// overlap pairs a new open interval of c with the gaps that share slices with it, and with the rows
// before these gaps. The caller has counted its least slice (known). goals are the tasks with goals
// that the slice lacks.
func (n *guardedUntil) overlap(v *version, c *openInterval, goals []san.Task, report func(p, q *openInterval)) {
	if t := c.tiva[n.bad]; t != anyTask {
		n.overlapTask(v, t, c, goals, report)
		return
	}
	for t := range n.gaps {
		n.overlapTask(v, san.Task(t), c, goals, report)
	}
}

func (n *guardedUntil) overlapTask(
	v *version, t san.Task, c *openInterval, goals []san.Task, report func(p, q *openInterval),
) {
	gaps := n.gaps[t]
	for i := len(gaps) - 1; i >= 0; i-- {
		g := gaps[i]
		if g.begun && !(g.end.happened && below(g.end.action, n.known)) {
			n.hold(v, t, g, c, goals, report)
		}
		if g.row == nil || g.row.happened && below(g.row.action, n.known) {
			break // it is after the row, and after all earlier gaps
		}
		for _, w := range goals { // other goals are in c, and so is the row
			if first := n.first(v, g, n.goals[w]); first != nil {
				n.row(v, t, g, first, c, report)
			}
		}
	}
}

// first returns the first of goals that comes after the row before the gap; nil if there is none,
// or it comes after the end of the gap.
func (n *guardedUntil) first(v *version, g *gap, goals []*openInterval) *openInterval {
	if !g.row.happened {
		return nil
	}
	i := sort.Search(len(goals), func(i int) bool { return v.has(cut{goals[i].entry()}, g.row.action) })
	if i == len(goals) || g.ended(v, goals[i].entry()) {
		return nil
	}
	return goals[i]
}

// admitsTask reports whether t can be the task of p where an open interval of c is true.
func (n *guardedUntil) admitsTask(c *openInterval, t san.Task) bool {
	return c.tiva[n.bad] == t || c.tiva[n.bad] == anyTask
}

// hold lets the open interval c wait in the gap g of task t for future goals. For each of tasks it
// also pairs c with the latest goal of that task before the end of the gap, if neither the gap nor
// c has that goal.
func (n *guardedUntil) hold(
	v *version, t san.Task, g *gap, c *openInterval, tasks []san.Task, report func(p, q *openInterval),
) {
	if g.never || n.initially && !(g.row == nil && c.hasInitial) || !n.admits(v, t, anyTask, c) {
		return
	}
	start := g.start()
	if g.end.happened && v.has(c.low, g.end.action) || !v.lacks(start, c.out) {
		return
	}
	for _, w := range tasks {
		goals := n.goals[w]
		last := sort.Search(len(goals), func(i int) bool { return g.ended(v, goals[i].entry()) })
		if last == 0 || !n.admits(v, t, w, c) {
			continue
		}
		if goal := goals[last-1]; !v.has(c.low, goal.entry()) && !v.has(start, goal.entry()) {
			report(n.between(v, t, g, goal), c)
		}
	}
	g.held.keep(n.apart, c)
}

// rows pairs the rows before the late gaps with the open intervals of c. goal is the first goal of
// its task after these rows. If all exits of an open interval precede the goal, none of them
// precedes the goal without coming after the row: then the interval is in past of the gap. The
// others are few.
func (n *guardedUntil) rows(v *version, goal *openInterval, report func(p, q *openInterval)) {
	for _, l := range n.late {
		for _, c := range l.gap.past.values {
			n.row(v, l.task, l.gap, goal, c, report)
		}
	}
	if len(n.late) > 0 {
		n.known = v.count(goal.low, n.known)
		for _, c := range n.core.intervals {
			if stdslices.ContainsFunc(c.out, func(x *exit) bool { return !x.happened || !below(x.action, n.known) }) ||
				len(c.out) == 0 {
				for _, l := range n.late {
					n.row(v, l.task, l.gap, goal, c, report)
				}
			}
		}
	}
	n.late = n.late[:0]
}

// row pairs the row before a gap, and a goal after it, with an open interval of c.
func (n *guardedUntil) row(v *version, t san.Task, g *gap, goal, c *openInterval, report func(p, q *openInterval)) {
	if !v.has(c.low, g.row.action) && n.admits(v, t, goal.tiva[n.goal], c) &&
		n.precedesOnlyAfter(v, c, g.row.action, goal.entry()) {
		report(n.within(v, t, g, goal), c)
	}
}

// precedesOnlyAfter reports whether each exit of the open interval that precedes e is preceded by
// x.
func (n *guardedUntil) precedesOnlyAfter(v *version, c *openInterval, x, e san.Action) bool {
	return !stdslices.ContainsFunc(c.out, func(o *exit) bool {
		return o.happened && v.has(cut{e}, o.action) && !v.has(cut{o.action}, x)
	})
}

// forget drops state that new local states cannot affect.
func (n *guardedUntil) forget(v *version) {
	if !v.sweep {
		return
	}
	common := v.commonKnowledge(n.core.lag)
	n.core.intervals = stdslices.DeleteFunc(n.core.intervals, func(c *openInterval) bool {
		return c.isOver(common)
	})
	n.open = stdslices.DeleteFunc(n.open, func(c *openInterval) bool {
		if !c.isOver(common) {
			return false
		}
		n.leave(v, c)
		return true
	})
	for t, gaps := range n.gaps {
		over := 0
		for over < len(gaps)-1 && gaps[over].isOver(common) {
			over++
		}
		if n.initially && over == 1 && gaps[0].never {
			over = 0 // the row after it still matters
		}
		n.gaps[t] = stdslices.Delete(gaps, 0, over)
		for _, g := range n.gaps[t] {
			g.held.renew(n.apart)
		}
	}
	n.forFutureTasks.renew(n.apart)
	for w, goals := range n.goals {
		over := sort.Search(len(goals), func(i int) bool { return !below(goals[i].entry(), common) })
		n.goals[w] = stdslices.Delete(goals, 0, over)
	}
}

// isOver reports whether the gap has no slice in common with those that contain the common
// knowledge.
func (g *gap) isOver(common []int32) bool {
	return g.never || g.end.happened && below(g.end.action, common)
}

// leave keeps an open interval for the goals of the rows that end in it, once it has no future
// exits, or only such as come after these rows.
func (n *guardedUntil) leave(v *version, c *openInterval) {
	n.known = v.count(c.low, n.known)
	for t, gaps := range n.gaps {
		if !n.admits(v, san.Task(t), anyTask, c) {
			continue
		}
		for i := len(gaps) - 1; i >= 0; i-- {
			g := gaps[i]
			if g.row == nil || g.row.happened && below(g.row.action, n.known) {
				break // it is after the row, and after all earlier gaps
			}
			early := func(o *exit) bool { return o.happened && !v.has(cut{o.action}, g.row.action) }
			if g.row.happened && !stdslices.ContainsFunc(c.out, early) {
				g.past.put(n.apart.key(c), c) // any one will do: all goals are still to come
			}
		}
	}
}
