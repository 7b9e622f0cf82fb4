package onthefly

import (
	"encoding/binary"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// waitingIntervals are open intervals of c that wait for a goal, one for each TIVA. A later one
// replaces an earlier one of the same TIVA when all goals so far have been seen: a future goal is
// open in both, and the later one needs less of the run. But an open interval with obligations,
// which may never hold, replaces none. If only the slice before all events counts, only open
// intervals with that slice are held.
type waitingIntervals struct{ held, newer orderedMap[*openInterval] }

func (o *waitingIntervals) keep(apart slotSet, c *openInterval) {
	if key := apart.key(c); o.held.has(key) {
		o.newer.put(key, c)
	} else {
		o.held.put(key, c)
	}
}

// renew replaces waiting open intervals by newer ones.
func (o *waitingIntervals) renew(apart slotSet) {
	for _, c := range o.newer.values {
		o.held.put(apart.key(c), c)
	}
	o.newer.clear()
}

// slotSet has the slots whose tasks matter, in order.
type slotSet []int

// key returns a string that differs for open intervals that cannot replace each other: because of
// tasks that matter, or because one has obligations, which may never hold.
func (s slotSet) key(c *openInterval) string {
	var key []byte
	for _, slot := range s {
		if t := c.tiva[slot]; t != anyTask {
			key = binary.LittleEndian.AppendUint32(binary.AppendUvarint(key, uint64(slot)), uint32(t))
		}
	}
	if len(c.obligations) > 0 {
		key = fmt.Appendf(key, " %p", c)
	}
	return string(key)
}

// neverHolds reports whether conditions fail whatever future tasks stand in some slots of a TIVA: a
// future task is none of the existing ones and has created none of them.
func neverHolds(conds []formula.Cond, tiva []san.Task, slots ...int) bool {
	comes := func(slot int) bool { return tiva[slot] == anyTask && stdslices.Contains(slots, slot) }
	return stdslices.ContainsFunc(conds, func(c formula.Cond) bool {
		switch {
		case c.Differ:
			return false
		case comes(c.Left):
			return tiva[c.Right] != anyTask
		}
		return !c.Caller && comes(c.Right) && tiva[c.Left] != anyTask
	})
}

// tivaKey returns a string that identifies a TIVA.
func tivaKey(tiva []san.Task) string {
	var key []byte
	for _, t := range tiva {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	return string(key)
}

// intervalPair is an open interval that was held and the goal that it waited for.
type intervalPair struct{ held, goal *openInterval }

// waitingInterval is a waiting open interval of c, and the exits that the gap or goal adds to those
// that its slices lack.
type waitingInterval struct {
	task     san.Task // the task of p, or of the goal
	interval *openInterval
	lacks    []*exit
}

// waiting yields everything that waits.
func (n *guardedUntil) waiting(yield func(waitingInterval) bool) {
	each := func(t san.Task, lacks []*exit, intervals []*openInterval) bool {
		for _, c := range intervals {
			if !yield(waitingInterval{t, c, lacks}) {
				return false
			}
		}
		return true
	}
	for t, gaps := range n.gaps {
		for _, g := range gaps {
			end := []*exit{g.end}
			if !each(san.Task(t), end, g.held.held.values) || !each(san.Task(t), end, g.held.newer.values) ||
				!each(san.Task(t), []*exit{g.row}, g.past.values) {
				return
			}
		}
	}
	if !each(anyTask, nil, n.forFutureTasks.held.values) || !each(anyTask, nil, n.forFutureTasks.newer.values) {
		return
	}
	for _, l := range n.latent.values {
		x := happenedExit(l.goal.low[0])
		if !yield(waitingInterval{l.goal.tiva[n.goal], l.held, []*exit{&x}}) {
			return
		}
	}
}

func (n *guardedUntil) need(g graph, base []int32) {
	n.needed = map[san.Task]bool{}
	if n.initially {
		n.needStart(g, base)
	}
	for o := range n.waiting {
		g.leave(base,
			&openInterval{low: o.interval.low, out: stdslices.Concat(o.interval.out, o.lacks),
				obligations: o.interval.obligations})
		n.needed[o.task] = true
		for _, u := range o.interval.tiva {
			n.needed[u] = true
		}
	}
}

// needStart keeps the exits of rows with which the run begins: only the predecessors of a goal show
// whether every path from the slice before all events to that goal begins with the end of the row.
func (n *guardedUntil) needStart(g graph, base []int32) {
	for _, gaps := range n.gaps {
		if gaps[0].never && len(gaps) > 1 && gaps[1].row.happened {
			g.exclude(base, gaps[1].row.action)
		}
	}
}

func (n *guardedUntil) holds(t san.Task) bool { return n.needed[t] }

func (n *guardedUntil) size() int {
	size := len(n.core.intervals) + n.close.size()
	for range n.waiting {
		size++
	}
	for t := range n.gaps {
		size += len(n.gaps[t]) + len(n.goals[t])
	}
	return size
}

func (n *guardedUntil) rename(m *renaming) {
	n.core.intervals = m.intervals(n.core.intervals)
	n.close.rename(m)
	n.forFutureTasks.rename(m, n.apart)
	n.open = m.intervals(n.open)
	latent := n.latent.values
	n.latent.clear()
	for _, l := range latent {
		if m.interval(l.held) && m.interval(l.goal) {
			n.keepPair(l)
		}
	}
	for t, gaps := range n.gaps {
		_, kept := m.Task(san.Task(t))
		for _, g := range gaps {
			g.end.never = g.end.never || !kept
			g.rename(m, n.apart)
		}
		n.goals[t] = m.intervals(n.goals[t])
	}
	n.gaps, n.goals = byTask(m, n.gaps), byTask(m, n.goals)
}

func (o *waitingIntervals) rename(m *renaming, apart slotSet) {
	m.byTIVA(&o.held, apart)
	m.byTIVA(&o.newer, apart)
}

func (g *gap) rename(m *renaming, apart slotSet) {
	g.held.rename(m, apart)
	m.byTIVA(&g.past, apart)
	m.exit(g.end)
	if g.row != nil {
		m.exit(g.row)
	}
}

// byTIVA renames the open intervals of a map that is keyed by their TIVAs, and drops those with a
// forgotten task. apart has the slots that the keys distinguish.
func (m *renaming) byTIVA(intervals *orderedMap[*openInterval], apart slotSet) {
	was := intervals.values
	intervals.clear()
	for _, p := range was {
		if m.interval(p) {
			intervals.put(apart.key(p), p)
		}
	}
}
