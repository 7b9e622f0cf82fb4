package onthefly

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// patience is the number of events below which a net forgets none.
const patience = 1 << 16

// forgetter is a node with a state of its own that can continue after the net has forgotten a slice
// that all future slices contain. Nodes without state need not be asked.
type forgetter interface {
	// need removes from the base, a slice given by numbers of events, whatever the node may have to
	// name in a violation.
	need(g graph, base []int32)

	// holds reports whether the node keeps something about a task that has ended, and would not
	// keep it about another task that ended like it.
	holds(t san.Task) bool

	// size returns the number of open intervals that the node keeps.
	size() int

	// rename renames tasks and actions, and drops open intervals that name a forgotten task.
	rename(m *renaming)
}

// namer is a forgetter that can be condensed for (stage.condenses), unless it names nothing.
type namer interface {
	// named yields the open intervals that the node keeps.
	named(yield func(*openInterval))
}

// prepare determines what can be forgotten.
func (c *Checker) prepare(slots int) {
	c.patience, c.slots, c.endedByTruths = patience, slots, map[string][]san.Task{}
	for _, s := range c.stages {
		if n, ok := s.node.(forgetter); ok {
			c.memories = append(c.memories, n)
		}
		if n, ok := s.node.(*conditionNode); ok {
			c.asksCreators = c.asksCreators || n.callers()
		}
	}
	for _, r := range c.roots {
		c.memories = append(c.memories, r)
	}
	c.measure()
}

// measure determines how far back, and at what, the working stages look.
func (c *Checker) measure() {
	c.bounded, c.singleStates, c.condenses, c.depth = !c.keepsRun, true, true, 0
	c.windows, c.counts = false, false
	for _, s := range c.stages {
		if !s.idle {
			switch s.node.(type) {
			case *window:
				c.windows = true
			case *guardedNext:
				c.counts = true
			}
			c.bounded = c.bounded && s.bounded()
			c.singleStates = c.singleStates && s.singleStates()
			c.condenses = c.condenses && s.condenses()
			c.depth = max(c.depth, s.depth())
		}
	}
}

// bounded reports whether the node can forget events that are far enough back.
func (s *stage) bounded() bool {
	switch n := s.node.(type) {
	case *conjunction:
		return n.left.bounded() && n.right.bounded()
	case *guardedUntil:
		// else each open interval of c with a pending obligation is kept
		return n.close.right.lag == 0
	case nextNode, sometimeNode:
		return !s.deep // else the distance to the slices matters
	case *untilNode, *window:
		return false
	}
	return true
}

// singleStates reports whether the node examines local states one at a time: never two in one
// slice, and no later slices.
func (s *stage) singleStates() bool {
	switch s.node.(type) {
	case *leaf, *conditionNode, disjunction, existential:
		return true
	}
	return false
}

// condenses reports whether the net can be condensed for the node (san.Builder.Condense). The node
// must only ask the net in which state a task is, and which actions precede those that are new or
// named by its open intervals. It must cause no obligations.
func (s *stage) condenses() bool {
	if n, ok := s.node.(*conjunction); ok {
		return n.left.lag == 0 && n.right.lag == 0
	}
	_, join := s.node.(*conjunctionJoin)
	return join || s.singleStates()
}

func (k *joinSide) bounded() bool { return k.lag != unbounded || len(k.last) > 0 }

// depth returns how many of its own events a task may have to look back at.
func (s *stage) depth() int {
	switch n := s.node.(type) {
	case *conjunction:
		return max(n.left.lag, n.right.lag)
	case *guardedUntil:
		return max(n.core.lag, n.close.left.lag, n.close.right.lag)
	case *wideUntil:
		return n.close.left.lag
	case *guardedNext:
		return 1 // every task has left its local state of the base
	}
	if _, ok := s.node.(sometimeNode); ok && s.kids[0].lag > 0 {
		return s.kids[0].lag + 1 // later slices must be above the base
	}
	return max(s.lag, 0)
}

// plan decides at the end of a version whether it pays to forget. The next version begins with it,
// so the violations of this one can still be explained.
//
// The net has doubled since it last forgot, which makes the work for each event constant on
// average.
func (c *Checker) plan(v *version) {
	if !v.sweep || c.net.Events() < 2*c.unforgettable+c.patience {
		return
	}
	c.recordRetention()
	if !c.bounded {
		c.unforgettable = c.net.Events()
		return
	}
	base := c.forgettable(v)
	for _, n := range c.memories {
		n.need(v.graph, base)
	}
	gain := 0
	for _, k := range base {
		gain += int(k)
	}
	c.unforgettable = c.net.Events() - gain
	if c.condensing = gain <= c.unforgettable && c.condenses; gain > c.unforgettable || c.condensing {
		c.base = base
	}
}

// forgettable returns the slice of everything that no future violation can depend on, without what
// the nodes need.
//
// That is the common knowledge of all tasks, because the next event of a task that knows less may
// depend on the rest. If local states are examined one at a time, it is everything that has
// happened: some slices with a new local state contain all of that, and in them the property is
// false as in the others. So the run continues as if it began there (Frey and Schlingloff 1998,
// §4.7).
func (c *Checker) forgettable(v *version) []int32 {
	if !c.singleStates {
		return stdslices.Clone(v.commonKnowledge(c.depth))
	}
	base := make([]int32, v.tasks)
	for t := range base {
		base[t] = int32(c.net.Len(san.Task(t)))
	}
	return base
}

// forget drops everything below the base (see base), and condenses the rest if a condensation is
// planned.
func (c *Checker) forget() {
	at := make([]int, len(c.walkers)) // local states of the walkers
	for t, w := range c.walkers {
		at[t] = w.State().K()
	}
	unread := c.net.Events() - c.eventsRead
	m := &renaming{turn: c.renamings + 1}
	if c.condensing {
		actions, tasks := c.named()
		past := make([]bool, len(c.walkers)) // computed before the net changes
		for t := range past {
			past[t] = c.inBase(san.Task(t))
		}
		m.Renaming = c.builder.Condense(c.base,
			func(t san.Task) bool { return c.keep(t, past[t]) || !past[t] && tasks[t] }, actions, c.eventsRead)
		c.unforgettable = c.net.Events()
	} else {
		m.Renaming = c.builder.Forget(c.base, func(t san.Task) bool { return c.keep(t, true) })
	}
	c.base, c.renamings, c.eventsRead = nil, m.turn, c.net.Events()-unread
	c.walkers = byTask(m, c.walkers)
	for t, now := range m.each(len(at)) {
		w := c.walkers[now]
		w.Walker = c.net.Walk(now)
		w.Seek(m.State(san.Task(t), at[t]))
		w.version = w.State().Version()
	}
	for _, n := range c.memories {
		n.rename(m)
	}
	for class, tasks := range c.endedByTruths {
		var kept []san.Task
		for _, t := range tasks {
			if now, ok := m.Task(t); ok {
				kept = append(kept, now)
			}
		}
		c.endedByTruths[class] = kept
	}
}

// named returns the actions and tasks that kept open intervals name.
func (c *Checker) named() (actions []san.Action, tasks map[san.Task]bool) {
	tasks = map[san.Task]bool{}
	for _, m := range c.memories {
		n, ok := m.(namer)
		if !ok {
			continue
		}
		n.named(func(p *openInterval) {
			actions = append(actions, p.low...)
			for _, x := range p.out {
				if x.happened && x.action.K > 0 {
					actions = append(actions, x.action)
				}
			}
			for _, t := range p.tiva {
				tasks[t] = true
			}
		})
	}
	return actions, tasks
}

// inBase reports whether the base has the creation and all events of a task.
func (c *Checker) inBase(t san.Task) bool {
	by, created := c.net.SpawnedBy(t)
	return int(c.base[t]) == c.net.Len(t) && (!created || below(by, c.base))
}

// keep reports whether to keep a task that has ended, within the base or not. Tasks that ended in
// the base with the same truth of all local formulas are interchangeable in violations. So as many
// of them suffice as there are TIVs, which can stand for different ones. If no open interval names
// them, any will do.
func (c *Checker) keep(t san.Task, past bool) bool {
	class := "any"
	if past {
		class = fmt.Sprint(c.walkers[t].truths)
	}
	like := c.endedByTruths[class]
	if stdslices.Contains(like, t) {
		return true
	}
	if len(like) < c.slots || c.asksCreators {
		c.endedByTruths[class] = append(like, t)
		return true
	}
	return stdslices.ContainsFunc(c.memories, func(n forgetter) bool { return n.holds(t) })
}

// leave removes from the base whatever keeps the open interval from having a slice that contains
// the base.
func (g graph) leave(base []int32, p *openInterval) {
	if len(p.obligations) > 0 { // these may look at the events right after the least slice
		for t := range base {
			base[t] = min(base[t], int32(g.at(p.low, san.Task(t))))
		}
		return
	}
	for _, x := range p.out {
		if x.happened {
			g.exclude(base, x.action)
		}
	}
}

// exclude removes an action and all that follow it from the base.
func (g graph) exclude(base []int32, a san.Action) {
	if below(a, base) {
		for t := range base {
			base[t] = min(base[t], int32(g.net.NotAboveIn(a, san.Task(t))))
		}
	}
}

// undemanding is part of nodes that keep no event or task from being forgotten.
type undemanding struct{}

func (undemanding) need(graph, []int32) {}
func (undemanding) holds(san.Task) bool { return false }

// intervalList is part of nodes that keep open intervals.
type intervalList struct{ kept []*openInterval }

func (l *intervalList) need(g graph, base []int32) {
	for _, p := range l.kept {
		g.leave(base, p)
	}
}
func (l *intervalList) holds(t san.Task) bool           { return mentions(l.kept, t) }
func (l *intervalList) named(yield func(*openInterval)) { each(l.kept, yield) }
func (l *intervalList) size() int                       { return len(l.kept) }
func (l *intervalList) rename(m *renaming)              { l.kept = m.intervals(l.kept) }

func (n *leaf) size() (rows int) {
	for _, x := range n.open {
		if x != nil {
			rows++
		}
	}
	return rows
}

func (n *leaf) rename(m *renaming) {
	for t, x := range n.open {
		if _, ok := m.Task(san.Task(t)); !ok && x != nil {
			x.never = true
		}
	}
	n.open = byTask(m, n.open)
}

func (n *conjunction) need(g graph, base []int32) {
	for _, p := range n.left.waiting() {
		g.leave(base, p)
	}
}

func (n *conjunction) holds(t san.Task) bool { return mentions(n.left.waiting(), t) }

func (n *conjunction) named(yield func(*openInterval)) {
	each(n.left.intervals, yield)
	each(n.right.intervals, yield)
}

// waiting returns the open intervals that wait for something any number of steps ahead.
func (k *joinSide) waiting() []*openInterval {
	if k.lag != unbounded {
		return nil
	}
	return k.intervals
}

func (n *conjunction) size() int { return len(n.left.intervals) + len(n.right.intervals) }
func (n *conjunction) rename(m *renaming) {
	n.left.intervals, n.right.intervals = m.intervals(n.left.intervals), m.intervals(n.right.intervals)
}

func (n *conjunctionJoin) named(yield func(*openInterval)) {
	for _, f := range n.kept {
		for _, g := range f.groups {
			yield(g.openInterval)
			for _, row := range g.rows[:len(n.slots)] {
				if row != nil && row != g.openInterval {
					yield(row)
				}
			}
		}
	}
}
func (n *conjunctionJoin) size() int {
	size := 0
	for _, f := range n.kept {
		size += len(f.groups)
	}
	return size
}

func (n *conjunctionJoin) rename(m *renaming) {
	for i := range n.kept {
		n.kept[i].groups = stdslices.DeleteFunc(n.kept[i].groups, func(g *group) bool { return !g.rename(m, n.slots) })
		for _, g := range n.kept[i].groups {
			kept := g.replacements[:0]
			for _, b := range g.replacements {
				if m.tasks(&b) {
					kept = append(kept, b)
				}
			}
			g.replacements = kept
		}
	}
}

// rename also renames the rows; it returns false if a task is forgotten.
func (g *group) rename(m *renaming, slots []int) bool {
	for _, row := range g.rows {
		if row != nil {
			m.interval(row)
		}
	}
	ok := m.interval(g.openInterval)
	if ok {
		g.name(slots)
	}
	return ok
}

func each(ps []*openInterval, yield func(*openInterval)) {
	for _, p := range ps {
		yield(p)
	}
}

// mentions reports whether a task is in the TIVA of one of the open intervals.
func mentions(ps []*openInterval, t san.Task) bool {
	return stdslices.ContainsFunc(ps, func(p *openInterval) bool { return stdslices.Contains(p.tiva, t) })
}
