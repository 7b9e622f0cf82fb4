package onthefly

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// guardedNext is "c and not next q" of local q at the top of a property. All open intervals of c,
// in[0], contain new local states and have no obligations. in[1] are the rows of local states in
// which q is true.
//
// Let a slice be complete if every task has left its local state there, or has ended: then all its
// successors are known. Of the rows of one task, with entries E(k) and exits X(k), these complete
// slices have no successor in which q is true of the task:
//
//	between rows: contain X(k-1), lack E(k), and lack something that precedes E(k)
//	in row k:     ALL \ ↑X(k), whose only successor is that by X(k):
//	              others leave the task where it is
//
// All of ALL \ ↑X(k) is known when all tasks that have not ended know X(k), which is when the slice
// is complete. If the task stays in the row forever, it is the slice of all events, which has no
// successor.
//
// A smaller slice between rows inherits the property. So for an open interval of c and such a gap
// it suffices to examine the least common slice, until that is complete.
type guardedNext struct {
	slot  int            // of q
	conds []formula.Cond // on the tasks of a violation, as far as known here
	// open intervals of c that wait for future tasks replace each other if their tasks agree in
	// these slots
	apart     slotSet
	initially bool // only the slice before all events counts

	core []*openInterval // those of c that share a slice with what can be new
	gaps gapLists        // by the task of q
	// of the rows of q, by task and in order, as long as some task may not know them
	ends    [][]*rowEnd
	pending []*leastSlice // they may be violations once they are complete

	// Each task that is not created yet adds slices in which it does not exist. Among the open
	// intervals of c whose least slice is complete, the last for each choice of tasks is kept for
	// that: the actions enabled there have happened, so none of them creates a future task.
	forFutureTasks orderedMap[*openInterval]

	known []int32 // buffer of counts
}

// leastSlice is the least slice of an open interval of c and a gap.
type leastSlice struct {
	*openInterval
	entry *exit // the end of the gap; nil if the gap is that of a task that is not created yet
	taskPoll
}

// rowEnd is the exit of a row in which q is true.
type rowEnd struct {
	*exit
	taskPoll
}

// taskPoll asks one task after the other whether it has done something irrevocable.
type taskPoll struct {
	task san.Task // those before it have done it
	seen int      // 1 + its number of events when it last had not; 0 if it was not asked
}

// all reports whether all tasks that have not ended have done it. A task that had no event since is
// not asked again.
func (r *taskPoll) all(v *version, has func(san.Task) bool) bool {
	for ; int(r.task) < v.tasks; r.task++ {
		if !v.net.Ended(r.task) {
			events := v.net.Len(r.task) + 1
			if r.seen == events || !has(r.task) {
				r.seen = events
				return false
			}
		}
		r.seen = 0
	}
	return true
}

func newGuardedNext(slot int, conds []formula.Cond, initially bool) *guardedNext {
	return &guardedNext{slot: slot, conds: conds, apart: slotsWith(conds), initially: initially}
}

func (n *guardedNext) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	for t, g := range n.gaps.extend(v, n.slot, in[1]) {
		if int(t) >= v.before && g.row == nil {
			for _, c := range n.forFutureTasks.values {
				n.await(v, t, g, c)
			}
		}
		n.known = v.count(g.start(), n.known)
		for _, c := range n.core {
			if !c.isOver(n.known) {
				n.await(v, t, g, c)
			}
		}
	}
	for _, c := range in[0] {
		if !n.initially || c.hasInitial {
			n.overlap(v, c)
			n.core = append(n.core, c)
		}
	}
	fresh := n.leave(v, in[1], nil)
	fresh = n.decide(v, fresh)
	n.forget(v)
	return fresh, nil
}

// overlap pairs a new open interval of c with the gaps that share slices with it.
func (n *guardedNext) overlap(v *version, c *openInterval) {
	n.known = v.count(c.low, n.known)
	for t, gaps := range n.gaps {
		for i := len(gaps) - 1; i >= 0; i-- {
			g := gaps[i]
			if g.begun {
				n.await(v, san.Task(t), g, c)
			}
			if g.row == nil || g.row.happened && below(g.row.action, n.known) {
				break // c is after the row, and after all earlier gaps
			}
		}
	}
	if c.tiva[n.slot] == anyTask && !neverHolds(n.conds, c.tiva, n.slot) {
		n.pending = append(n.pending, &leastSlice{openInterval: c})
	}
}

// await keeps the least slice in both the gap g of task t and the open interval c, if that slice
// may become a violation.
func (n *guardedNext) await(v *version, t san.Task, g *gap, c *openInterval) {
	if g.never || n.initially && g.row != nil || !n.admits(v, t, c) {
		return
	}
	start := g.start()
	if !v.lacks(start, c.out) || !v.lacks(c.low, []*exit{g.end}) {
		return
	}
	p := &leastSlice{openInterval: n.violation(t, c, v.join(c.low, start), g.end), entry: g.end}
	if !p.isReady(v) {
		p.hasInitial = c.hasInitial && g.row == nil
		n.pending = append(n.pending, p)
	}
}

// admits reports whether t can be the task of q where an open interval of c counts.
func (n *guardedNext) admits(v *version, t san.Task, c *openInterval) bool {
	if u := c.tiva[n.slot]; u != anyTask && u != t {
		return false
	}
	return v.admitsTasks(n.conds, func(slot int) san.Task {
		if slot == n.slot {
			return t
		}
		return c.tiva[slot]
	})
}

// violation returns the open interval with the slices of c that contain these actions and lack one
// more exit.
func (n *guardedNext) violation(t san.Task, c *openInterval, low cut, x *exit) *openInterval {
	tiva := stdslices.Clone(c.tiva)
	tiva[n.slot] = t
	return &openInterval{tiva: tiva, low: low, out: append(stdslices.Clone(c.out), x)}
}

// isReady reports whether the gap can end in the slice, and so in all larger ones of the gap.
func (p *leastSlice) isReady(v *version) bool {
	return p.entry != nil && p.entry.happened && v.contains(p.low, v.predecessors(p.entry.action))
}

// leave records the new rows, and appends to fresh the slices in which the exit of a row is the
// only enabled event.
func (n *guardedNext) leave(v *version, rows []*openInterval, fresh []*openInterval) []*openInterval {
	for len(n.ends) < v.tasks {
		n.ends = append(n.ends, nil)
	}
	for _, p := range rows {
		t := p.tiva[n.slot]
		n.ends[t] = append(n.ends[t], &rowEnd{exit: p.out[0]})
	}
	for t, ends := range n.ends {
		over := 0
		for over < len(ends) && (v.closed || ends[over].isKnown(v)) {
			fresh = n.last(v, san.Task(t), ends[over].exit, fresh)
			over++
		}
		n.ends[t] = stdslices.Delete(ends, 0, over)
	}
	return fresh
}

// isKnown reports whether all tasks that have not ended know the exit.
func (e *rowEnd) isKnown(v *version) bool {
	return e.all(v, func(u san.Task) bool { return e.happened && v.knows(u, e.action) })
}

// knows reports whether a task knows the action in its last local state.
func (g graph) knows(u san.Task, a san.Action) bool {
	last, ok := g.last(u)
	return ok && g.has(cut{last}, a)
}

// last returns the event that led a task to its last local state, which may be the one that created
// it; false if the net begins there.
func (g graph) last(u san.Task) (san.Action, bool) {
	if k := g.net.Len(u); k > 0 {
		return san.Action{Task: u, K: int32(k)}, true
	}
	return g.net.SpawnedBy(u)
}

// last appends the last slice in a row of a task, if it is one of c.
func (n *guardedNext) last(v *version, t san.Task, x *exit, fresh []*openInterval) []*openInterval {
	slice := make([]int32, v.tasks)
	if x.happened {
		v.net.NotAbove(x.action, slice)
	} else {
		for u := range slice {
			slice[u] = int32(v.net.Len(san.Task(u)))
		}
	}
	for _, c := range n.core {
		inside := !stdslices.ContainsFunc(c.low, func(a san.Action) bool { return !below(a, slice) })
		if !inside || c.isOver(slice) || !n.admits(v, t, c) {
			continue
		}
		p := n.violation(t, c, v.generators(slice), x)
		p.hasInitial = v.whole && len(p.low) == 0
		fresh = append(fresh, p)
	}
	return fresh
}

// generators returns the maximal actions of a slice with these numbers of events.
func (g graph) generators(slice []int32) cut {
	var low cut
	for t, k := range slice {
		if k > 0 {
			low = append(low, san.Action{Task: san.Task(t), K: k})
		}
	}
	return g.maximal(low)
}

// decide appends to fresh the least slices that are complete and in which their gaps cannot end.
func (n *guardedNext) decide(v *version, fresh []*openInterval) []*openInterval {
	n.pending = stdslices.DeleteFunc(n.pending, func(p *leastSlice) bool {
		switch {
		case !v.closed && !p.isComplete(v):
			return false
		case p.entry == nil:
			n.forFutureTasks.put(n.apart.key(p.openInterval), p.openInterval)
		case !p.isReady(v):
			fresh = append(fresh, p.openInterval)
		}
		return true
	})
	return fresh
}

// isComplete reports whether each task has ended, or has left its local state in the slice, or is
// not created there.
func (p *leastSlice) isComplete(v *version) bool {
	return p.all(v, func(u san.Task) bool {
		last, ok := v.last(u)
		return ok && !v.has(p.low, last)
	})
}

// forget drops state that new local states cannot affect, and candidates that cannot become
// violations.
func (n *guardedNext) forget(v *version) {
	if !v.sweep {
		return
	}
	common := v.commonKnowledge(0)
	n.core = stdslices.DeleteFunc(n.core, func(c *openInterval) bool { return c.isOver(common) })
	for t, gaps := range n.gaps {
		over := 0
		for over < len(gaps)-1 && gaps[over].isOver(common) {
			over++
		}
		n.gaps[t] = stdslices.Delete(gaps, 0, over)
	}
	n.pending = stdslices.DeleteFunc(n.pending, func(p *leastSlice) bool { return p.isReady(v) })
}

func (n *guardedNext) need(g graph, base []int32) {
	for _, c := range n.forFutureTasks.values {
		g.leave(base, c)
	}
}

func (n *guardedNext) holds(t san.Task) bool {
	return mentions(n.forFutureTasks.values, t) ||
		stdslices.ContainsFunc(n.pending, func(p *leastSlice) bool { return stdslices.Contains(p.tiva, t) })
}

func (n *guardedNext) size() int {
	size := len(n.core) + len(n.pending) + len(n.forFutureTasks.values)
	for t := range n.gaps {
		size += len(n.gaps[t]) + len(n.ends[t])
	}
	return size
}

func (n *guardedNext) rename(m *renaming) {
	n.core = m.intervals(n.core)
	m.byTIVA(&n.forFutureTasks, n.apart)
	n.pending = stdslices.DeleteFunc(n.pending, func(p *leastSlice) bool {
		p.taskPoll = taskPoll{}
		return !m.interval(p.openInterval)
	})
	for t, gaps := range n.gaps {
		for _, g := range gaps {
			g.rename(m, n.apart)
		}
		for _, e := range n.ends[t] {
			e.taskPoll = taskPoll{}
			m.exit(e.exit)
		}
	}
	n.gaps, n.ends = byTask(m, n.gaps), byTask(m, n.ends)
}
