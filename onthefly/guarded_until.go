package onthefly

import (
	"maps"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// guardedUntil is "c and (p until q)" of local p and q at the top of a property, where new open intervals of c, in[0],
// contain new local states; in[1] and in[2] are those of until. Here it only matters whether there is
// some violation with a TIVA. So of the open intervals of c that go with a gap, one for each TIVA
// is held, which waits for a goal; a goal that comes later is open in all of them.
type guardedUntil struct {
	ways
	core  joinSide
	close conjunction // of c and what is one action before a goal

	initially bool // only the slice before all events counts

	// What the gap before the first row holds of a task that is not created yet, and which of
	// that had a goal since, by TIVA: each new task adds such slices.
	unborn waitingIntervals
	latent orderedMap[intervalPair]

	needed map[san.Task]bool // tasks with obligations; see holds
}

func (n *guardedUntil) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	fresh := n.close.meet(v, [][]*openInterval{in[0], next{1}.below(v, in[2])})
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
			n.bear(v, t, g, report)
		}
		for _, c := range n.core.intervals {
			if n.about(c, t) {
				n.hold(v, t, g, c, report)
			}
		}
	}
	for _, c := range in[0] {
		n.overlap(v, c, report)
		n.expect(v, c)
	}
	n.core.add(v, in[0])
	for _, goal := range in[2] {
		for _, c := range n.unborn.held.values {
			n.wait(v, c, goal)
		}
	}
	n.arrive(v, in[2], func(t san.Task, g *gap, goal *openInterval) {
		if len(g.held.held.values) > 0 {
			p := n.between(v, t, g, goal)
			for _, c := range g.held.held.values {
				report(p, c)
			}
		}
	}, func(t san.Task, g *gap, goal *openInterval) { n.row(v, t, g, goal, report) })
	n.forget(v)
	return fresh, nil
}

// expect holds an open interval of c for the tasks that are not created yet, and pairs it with the goals so
// far.
func (n *guardedUntil) expect(v *version, c *openInterval) {
	if n.initially && !c.bottom || c.tiva[n.bad] != anyTask || n.bad == n.goal && c.tiva[n.goal] != anyTask {
		return
	}
	n.unborn.keep(c)
	for _, goals := range n.goals {
		if last := len(goals) - 1; last >= 0 {
			n.wait(v, c, goals[last])
		}
	}
}

// wait notes that a goal is open in an open interval of c.
func (n *guardedUntil) wait(v *version, c, goal *openInterval) {
	w := goal.tiva[n.goal]
	if n.bad == n.goal || len(goal.low) == 0 || c.tiva[n.goal] != anyTask && c.tiva[n.goal] != w || v.has(c.low, goal.low[0]) {
		return
	}
	n.late(intervalPair{c, goal})
}

func (n *guardedUntil) late(l intervalPair) {
	n.latent.put(heldKey(l.held)+tivaKey(nil, l.goal.tiva[n.goal]), l)
}

// bear gives the first gap of a new task what there is for it.
func (n *guardedUntil) bear(v *version, t san.Task, g *gap, report func(p, q *openInterval)) {
	g.held = waitingIntervals{n.unborn.held.clone(), n.unborn.newer.clone()}
	for _, l := range n.latent.values {
		report(n.between(v, t, g, l.goal), l.held)
	}
}

// overlap pairs a new open interval of c with the gaps that it has slices in common with, and with the rows
// before these.
func (n *guardedUntil) overlap(v *version, c *openInterval, report func(p, q *openInterval)) {
	if t := c.tiva[n.bad]; t != anyTask {
		n.overlapTask(v, t, c, report)
		return
	}
	for t := range n.gaps {
		n.overlapTask(v, san.Task(t), c, report)
	}
}

func (n *guardedUntil) overlapTask(v *version, t san.Task, c *openInterval, report func(p, q *openInterval)) {
	gaps := n.gaps[t]
	for i := len(gaps) - 1; i >= 0; i-- {
		g := gaps[i]
		if g.begun {
			n.hold(v, t, g, c, report)
		}
		if g.row == nil || g.row.happened && v.has(c.low, g.row.action) {
			break // it lies behind the row, and all that is before that
		}
		for _, w := range stdslices.Sorted(maps.Keys(g.first)) {
			report(n.within(v, t, g, g.first[w]), c)
		}
	}
}

// about reports whether t can be the task of p where an open interval of c counts.
func (n *guardedUntil) about(c *openInterval, t san.Task) bool {
	return c.tiva[n.bad] == t || c.tiva[n.bad] == anyTask
}

// hold lets an open interval of c wait in a gap for goals, and pairs it with the goal so far that most slices
// lack.
func (n *guardedUntil) hold(v *version, t san.Task, g *gap, c *openInterval, report func(p, q *openInterval)) {
	in := &openInterval{tiva: noTIVA(len(c.tiva)), low: g.start(), out: []*exit{g.end}, bottom: g.row == nil}
	in.tiva[n.bad] = t
	both, ok := v.meet(in, c)
	if !ok || g.never || n.initially && !both.bottom {
		return
	}
	for _, goals := range n.goals {
		if last := sort.Search(len(goals), func(i int) bool { return g.ended(v, goals[i].low[0]) }); last > 0 {
			if goal := goals[last-1]; !v.has(both.low, goal.low[0]) {
				report(n.between(v, t, g, goal), c)
			}
		}
	}
	g.held.keep(c)
}

// row pairs the row before a gap, and the first goal behind it, with the open intervals of c.
func (n *guardedUntil) row(v *version, t san.Task, g *gap, goal *openInterval, report func(p, q *openInterval)) {
	var within *openInterval
	try := func(c *openInterval) {
		if !n.about(c, t) || v.has(c.low, g.row.action) || !n.beside(v, c, g.row.action, goal.low[0]) {
			return
		}
		if within == nil {
			within = n.within(v, t, g, goal)
		}
		report(within, c)
	}
	for _, c := range n.core.intervals {
		try(c)
	}
	for _, c := range g.past.values {
		try(c)
	}
}

// beside reports whether no exit of the open interval precedes e but those that x precedes.
func (n *guardedUntil) beside(v *version, c *openInterval, x, e san.Action) bool {
	return !stdslices.ContainsFunc(c.out, func(o *exit) bool {
		return o.happened && v.has(cut{e}, o.action) && !v.has(cut{o.action}, x)
	})
}

// forget drops what new local states can have nothing to do with.
func (n *guardedUntil) forget(v *version) {
	if !v.sweep {
		return
	}
	common := v.commonKnowledge(n.core.lag)
	n.core.intervals = stdslices.DeleteFunc(n.core.intervals, func(c *openInterval) bool {
		if !c.over(common) {
			return false
		}
		n.leave(v, c)
		return true
	})
	for t, gaps := range n.gaps {
		over := 0
		for over < len(gaps)-1 && gaps[over].over(common) {
			over++
		}
		if n.initially && over == 1 && gaps[0].never {
			over = 0 // the row behind it matters
		}
		n.gaps[t] = stdslices.Delete(gaps, 0, over)
		for _, g := range n.gaps[t] {
			g.held.renew()
		}
	}
	n.unborn.renew()
	for w, goals := range n.goals {
		over := sort.Search(len(goals), func(i int) bool { return !below(goals[i].low[0], common) })
		n.goals[w] = stdslices.Delete(goals, 0, over)
	}
}

// over reports whether the gap has no slice in common with those that contain what all tasks know.
func (g *gap) over(common []int32) bool {
	return g.never || g.end.happened && below(g.end.action, common)
}

// leave keeps an open interval that is over for the goals of the rows that end in it.
func (n *guardedUntil) leave(v *version, c *openInterval) {
	for t, gaps := range n.gaps {
		if !n.about(c, san.Task(t)) {
			continue
		}
		for _, g := range gaps {
			if g.row == nil || !g.row.happened || v.has(c.low, g.row.action) {
				continue
			}
			early := func(o *exit) bool { return o.happened && !v.has(cut{o.action}, g.row.action) }
			if !stdslices.ContainsFunc(c.out, early) {
				g.past.put(heldKey(c), c) // whichever: all goals are still to come
			}
		}
	}
}
