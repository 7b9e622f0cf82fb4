package onthefly

import (
	"iter"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// untilNode is "p until q" of local formulas: in[0] are the rows of local states in which p is
// false, in[1] those in which q is true, the goals. tlcheck/until.go derives which slices satisfy
// it. Of the rows of one task, with entries E(k) and exits X(k), and a goal with entry e, these are
//
//	between rows: contain X(k-1), lack E(k) and e, if E(k) does not precede e
//	in row k:     contain what ↓e has besides X(k) and all that follows that, lack X(k), if
//	              X(k) precedes e, E(k+1) does not, and no earlier goal of that task is like that
//	one action before the goal
type untilNode struct{ untilState }

// untilState is the state of a node for p until q.
type untilState struct {
	bad, goal int // slots of p and q

	gaps  gapLists          // by the task of p
	goals [][]*openInterval // by the task of q, in order, except those that all slices contain

	// of a guarded until: waiting open intervals of c replace each other if their tasks agree in
	// these slots
	apart slotSet
	seen  []int32 // buffer: counts of ↓e of a goal with entry e
	saw   []int32 // buffer: those of its task's previous goal
}

// gapLists has the gaps of each task between its rows, in order.
type gapLists [][]*gap

// gap is the time of a task before the first row in which p is false, between two rows, or after
// the last. Until the next row it has no end.
type gap struct {
	row   *exit // exit of the row before it; nil if there is none
	end   *exit // entry of the row after it
	begun bool  // the row before it, if any, is over
	never bool  // the net begins with a row: the gap before it is empty

	held waitingIntervals          // of a guarded until: see guardedUntil.hold
	past orderedMap[*openInterval] // and see guardedUntil.leave
}

func (n *untilNode) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	fresh := nextNode{1}.below(v, in[1])
	pair := func(t san.Task, g *gap, goal *openInterval) {
		if p := n.between(v, t, g, goal); p != nil {
			fresh = append(fresh, p)
		}
	}
	for t, g := range n.extend(v, in[0]) {
		for _, goals := range n.goals {
			for _, goal := range n.ahead(v, g, goals) {
				pair(t, g, goal)
			}
		}
	}
	n.arrive(v, in[1], pair, func(t san.Task, g *gap, goal *openInterval) {
		if p := n.within(v, t, g, goal); p != nil {
			fresh = append(fresh, p)
		}
	}, func(*openInterval) {})
	return fresh, nil
}

func newUntilState(bad, goal int) untilState { return untilState{bad: bad, goal: goal} }

// extend takes new rows in which p is false, as gapLists.extend does.
func (n *untilState) extend(v *version, rows []*openInterval) iter.Seq2[san.Task, *gap] {
	for len(n.goals) < v.tasks {
		n.goals = append(n.goals, nil)
	}
	return n.gaps.extend(v, n.bad, rows)
}

// extend takes new rows, of the tasks of a slot, and yields the gaps that have begun. A new task is
// in a gap before its first row, also in the slices in which it is not created.
func (l *gapLists) extend(v *version, slot int, rows []*openInterval) iter.Seq2[san.Task, *gap] {
	for len(*l) < v.tasks {
		*l = append(*l, []*gap{{end: &exit{}}})
	}
	for _, p := range rows {
		l.enter(p.tiva[slot], p)
	}
	return func(yield func(san.Task, *gap) bool) {
		for t, gaps := range *l {
			first := len(gaps)
			for first > 0 && !gaps[first-1].begun {
				first--
			}
			for _, g := range gaps[first:] {
				if g.row != nil && !g.row.happened {
					break
				}
				if g.begun = true; !yield(san.Task(t), g) {
					return
				}
			}
		}
	}
}

// enter records that a row of a task has begun.
func (l gapLists) enter(t san.Task, row *openInterval) {
	last := l[t][len(l[t])-1]
	if len(row.low) == 0 {
		last.never = true
	} else {
		*last.end = happenedExit(row.low[0])
	}
	l[t] = append(l[t], &gap{row: row.out[0], end: &exit{}})
}

// ahead returns the goals of a task that do not precede the exit of the row before a gap.
func (n *untilState) ahead(v *version, g *gap, goals []*openInterval) []*openInterval {
	if g.row == nil {
		return goals
	}
	return goals[sort.Search(len(goals), func(i int) bool { return !v.has(cut{g.row.action}, goals[i].entry()) }):]
}

// arrive takes new goals. For each it calls pair with the gaps that have begun and do not end
// before it, row with a gap if the goal is the first of its task after the row before that gap, and
// then done.
func (n *untilState) arrive(
	v *version, goals []*openInterval, pair, row func(san.Task, *gap, *openInterval), done func(*openInterval),
) {
	for _, p := range goals {
		if len(p.low) == 0 {
			continue
		}
		w := p.tiva[n.goal]
		n.goals[w] = append(n.goals[w], p)
		n.seen, n.saw = v.count(p.low, n.seen), v.count(nil, n.saw)
		if last := len(n.goals[w]) - 2; last >= 0 {
			n.saw = v.count(n.goals[w][last].low, n.saw)
		}
		for t := range n.gaps {
			n.pass(v, san.Task(t), p, pair, row)
		}
		done(p)
	}
}

// entry returns the event that enters a row with which the run does not begin.
func (p *openInterval) entry() san.Action { return p.low[0] }

func (n *untilState) pass(v *version, t san.Task, p *openInterval, pair, row func(san.Task, *gap, *openInterval)) {
	gaps, e := n.gaps[t], p.entry()
	for i := len(gaps) - 1; i >= 0; i-- {
		g := gaps[i]
		if g.begun {
			pair(t, g, p)
		}
		if i > 0 && !gaps[i-1].never && !n.precedes(v, gaps[i-1].end, e) {
			continue
		}
		// A gap before the first kept one ended before everything new.
		if g.row != nil && g.begun && below(g.row.action, n.seen) && !below(g.row.action, n.saw) {
			row(t, g, p)
		}
		return // earlier gaps end before the goal
	}
}

// precedes reports whether an exit has happened and precedes the goal e that has been counted.
func (n *untilState) precedes(v *version, x *exit, e san.Action) bool {
	if !x.happened || !below(x.action, n.seen) {
		return false
	}
	return x.action.K < max(1, n.seen[x.action.Task]) || !v.net.Same(x.action, e)
}

// start returns generators of the least slice of the gap.
func (g *gap) start() cut {
	if g.row == nil || g.row.action.K <= 0 {
		return nil
	}
	return cut{g.row.action}
}

// ended reports whether the row after the gap is entered before e.
func (g *gap) ended(v *version, e san.Action) bool {
	return g.end.happened && (g.end.action.K <= 0 || v.net.Precedes(g.end.action, e))
}

// between returns the slices of a gap from which the goal is reachable; nil if there are none.
func (n *untilState) between(v *version, t san.Task, g *gap, goal *openInterval) *openInterval {
	e := goal.entry()
	if g.never || g.ended(v, e) || n.bad == n.goal && t != goal.tiva[n.goal] {
		return nil
	}
	x := happenedExit(e)
	p := &openInterval{tiva: n.tiva(t, goal), low: g.start(), out: []*exit{g.end, &x}, hasInitial: g.row == nil}
	if !v.lacks(p.low, p.out) {
		return nil
	}
	return p
}

// within returns the slices of the row before a gap from which every path to the goal begins with
// the end of the row; nil if there are none.
func (n *untilState) within(v *version, t san.Task, g *gap, goal *openInterval) *openInterval {
	if n.bad == n.goal && t != goal.tiva[n.goal] {
		return nil
	}
	p := &openInterval{tiva: n.tiva(t, goal), low: v.besides(goal.entry(), g.row.action), out: []*exit{g.row}}
	p.hasInitial = len(p.low) == 0 && v.whole
	return p
}

func (n *untilState) tiva(t san.Task, goal *openInterval) []san.Task {
	tiva := stdslices.Clone(goal.tiva)
	tiva[n.bad] = t
	return tiva
}

// besides returns ↓e without x, which precedes e, and without what follows x.
func (g graph) besides(e, x san.Action) cut {
	var low cut
	for t := range san.Task(g.net.Tasks()) {
		known := g.net.Known(e, t)
		k := sort.Search(known, func(i int) bool {
			return g.net.Known(san.Action{Task: t, K: int32(i + 1)}, x.Task) >= int(x.K)
		})
		if k > 0 {
			low = append(low, san.Action{Task: t, K: int32(k)})
		}
	}
	return low
}
