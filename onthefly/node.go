package onthefly

import (
	"cmp"
	"context"
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// node computes the open intervals of a formula version by version: in has the new ones of each
// child. An error is the cause that ended the version's context.
type node interface {
	update(v *version, in [][]*openInterval) ([]*openInterval, error)
}

// version is an extension of the net.
type version struct {
	graph
	ctx    context.Context
	number int // in the checker, from 1
	// the new local states in which a local formula has another truth than before, in recorded
	// order
	states []state
	tasks  int  // number of tasks
	before int  // number of tasks in the version before
	sweep  bool // drop what is over
	common *commonKnowledge
	closed bool // the run has ended: this is the last version
	calm   bool // only events are new: see quiet.go
	whole  bool // the net begins where the checker began
}

// state is a new local state with the truth of all local formulas.
type state struct {
	task   san.Task
	k      int32
	number int         // number in the run, over all tasks
	truths []lsl.Truth // by local formula
}

// leaf is local nodes that hold together in local states of the task in a slot. Its open intervals
// are the rows of local states in which they hold.
type leaf struct {
	undemanding
	nodes []*formula.Node
	slot  int
	slots int

	open  []*exit         // by task: exit of the row that has not ended; nil if there is none
	fresh []*openInterval // buffer for new rows
	spare []*openInterval // rows for reuse, at most maxSpare
}

// maxSpare bounds the rows that a leaf keeps for reuse.
const maxSpare = 64

// reuse takes back a row that nothing but the leaf refers to. It keeps the row for reuse only if
// the row has ended.
func (n *leaf) reuse(row *openInterval) {
	if len(row.out) == 1 && row.out[0].happened && len(n.spare) < maxSpare {
		n.spare = append(n.spare, row)
	}
}

func (n *leaf) update(v *version, _ [][]*openInterval) ([]*openInterval, error) {
	for len(n.open) < v.tasks {
		n.open = append(n.open, nil)
	}
	clear(n.fresh)
	n.fresh = n.fresh[:0]
	for i := range v.states {
		s := &v.states[i]
		x := n.open[s.task]
		switch is := n.has(s.truths); {
		case is && x == nil:
			p := n.row(v, s)
			n.open[s.task] = p.out[0]
			n.fresh = append(n.fresh, p)
		case !is && x != nil:
			x.action, x.happened = san.Action{Task: s.task, K: s.k}, true
			n.open[s.task] = nil
		}
	}
	return n.fresh, nil
}

func (n *leaf) has(truths []lsl.Truth) bool {
	for _, x := range n.nodes {
		if !x.Holds(truths) {
			return false
		}
	}
	return true
}

// row returns the row that begins with a local state.
func (n *leaf) row(v *version, s *state) *openInterval {
	p := n.blank()
	p.firstState = s.number
	p.tiva = fillTIVA(p.tiva[:0], n.slots)
	p.tiva[n.slot] = s.task
	if s.k > 0 {
		p.low = append(p.low[:0], san.Action{Task: s.task, K: s.k})
	} else if spawn, ok := v.net.SpawnedBy(s.task); ok {
		p.low = append(p.low[:0], spawn)
	} else {
		p.low = nil
	}
	p.hasInitial = len(p.low) == 0
	return p
}

// blank returns an empty row. Its parts are allocated with it.
func (n *leaf) blank() *openInterval {
	if last := len(n.spare) - 1; last >= 0 {
		p := n.spare[last]
		n.spare = n.spare[:last]
		p.turn, *p.out[0] = 0, exit{}
		return p
	}
	row := &struct {
		openInterval
		exit
		low  [1]san.Action
		out  [1]*exit
		tiva [fewSlots]san.Task
	}{}
	row.out[0] = &row.exit
	row.openInterval.out, row.openInterval.low, row.openInterval.tiva = row.out[:], row.low[:0], row.tiva[:0]
	return &row.openInterval
}

// fewSlots is enough for the slots of most properties.
const fewSlots = 4

func noTIVA(slots int) []san.Task { return fillTIVA(nil, slots) }

// fillTIVA returns a TIVA without tasks, in room if that is large enough.
func fillTIVA(room []san.Task, slots int) []san.Task {
	t := stdslices.Grow(room, slots)[:slots:slots]
	for i := range t {
		t[i] = anyTask
	}
	return t
}

// initialNode is "true", for formulas that only count in the slice before all events.
type initialNode struct {
	slots int
	begun bool
}

func (n *initialNode) update(*version, [][]*openInterval) ([]*openInterval, error) {
	if n.begun {
		return nil, nil
	}
	n.begun = true
	return []*openInterval{{tiva: noTIVA(n.slots), hasInitial: true}}, nil
}

// conjunction is an "and" of two formulas.
type conjunction struct {
	left, right joinSide

	known []int32 // buffer of counts
}

// joinSide keeps the open intervals of one side of a conjunction for future ones of the other side.
type joinSide struct {
	intervals []*openInterval
	lag       int // how far back the new open intervals of the other side can be; see lagOf

	// last are slots, or nil. Among open intervals that agree in them, only the last is needed for
	// future ones.
	last []int
}

func (n *conjunction) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	return n.meet(v, in), nil
}

// meet returns the new open intervals of the conjunction.
func (n *conjunction) meet(v *version, in [][]*openInterval) []*openInterval {
	var fresh []*openInterval
	for _, p := range in[0] {
		n.each(v, n.right.intervals, p, func(q *openInterval) {
			if m, ok := v.meet(p, q); ok {
				fresh = append(fresh, m)
			}
		})
	}
	n.left.add(in[0])
	for _, q := range in[1] {
		n.each(v, n.left.intervals, q, func(p *openInterval) {
			if m, ok := v.meet(p, q); ok {
				fresh = append(fresh, m)
			}
		})
	}
	n.right.add(in[1])
	n.left.prune(v, in[0])
	n.right.prune(v, in[1])
	return fresh
}

// each calls do for each kept open interval that shares a slice with the new one, and perhaps for
// others.
func (n *conjunction) each(v *version, kept []*openInterval, with *openInterval, do func(*openInterval)) {
	const few = 8 // with so few, counting gains nothing
	if len(kept) <= few {
		each(kept, do)
		return
	}
	n.known = v.count(with.low, n.known)
	for _, p := range kept {
		if !p.isOver(n.known) {
			do(p)
		}
	}
}

func (k *joinSide) add(ps []*openInterval) { k.intervals = append(k.intervals, ps...) }

// prune drops the open intervals that are no longer needed: those that the fresh ones, already
// added, replace, and those that are over.
func (k *joinSide) prune(v *version, fresh []*openInterval) {
	if len(k.last) > 0 && len(fresh) > 0 {
		k.intervals = lastOf(k.intervals, k.last)
	}
	if !v.sweep || k.lag == unbounded {
		return
	}
	common := v.commonKnowledge(k.lag)
	k.intervals = stdslices.DeleteFunc(k.intervals, func(p *openInterval) bool { return p.isOver(common) })
}

// lastOf returns the last open interval for each choice of tasks in some slots.
func lastOf(intervals []*openInterval, slots []int) []*openInterval {
	return lastBy(intervals, func(p *openInterval) string {
		var tiva []san.Task
		for _, s := range slots {
			tiva = append(tiva, p.tiva[s])
		}
		return tivaKey(tiva)
	})
}

// lastBy returns the last open interval with each key, and all whose key is empty.
func lastBy(intervals []*openInterval, keyOf func(*openInterval) string) []*openInterval {
	seen := map[string]bool{}
	var kept []*openInterval
	for _, p := range stdslices.Backward(intervals) {
		key := keyOf(p)
		if key == "" || !seen[key] {
			seen[key] = true
			kept = append(kept, p)
		}
	}
	stdslices.Reverse(kept)
	return kept
}

// disjunction is the disjunction of formulas.
type disjunction struct{}

func (disjunction) update(_ *version, in [][]*openInterval) ([]*openInterval, error) {
	return stdslices.Concat(in...), nil
}

// existential is an "exists" over a slot.
type existential struct{ slot int }

func (n existential) update(_ *version, in [][]*openInterval) ([]*openInterval, error) {
	var fresh []*openInterval
	for _, p := range in[0] {
		q := *p
		q.tiva = stdslices.Clone(p.tiva)
		q.tiva[n.slot] = anyTask
		fresh = append(fresh, &q)
	}
	return fresh, nil
}

// sometimeNode has the slices below an open interval. Slices strictly below one of its slices lack
// the exits that this one lacks.
type sometimeNode struct{}

func (sometimeNode) update(_ *version, in [][]*openInterval) ([]*openInterval, error) {
	var fresh []*openInterval
	for _, p := range in[0] {
		fresh = append(fresh,
			&openInterval{tiva: p.tiva, out: p.out, obligations: []obligation{laterObligation{p}}, hasInitial: true})
	}
	return fresh, nil
}

// nextNode has the slices k actions below an open interval. Some of these actions may be among
// those that all slices of the open interval contain; the lower slice lacks them.
type nextNode struct{ k int }

func (n nextNode) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	return n.below(v, in[0]), nil
}

// below returns the slices k actions below the open intervals.
func (n nextNode) below(v *version, intervals []*openInterval) []*openInterval {
	var fresh []*openInterval
	for _, p := range intervals {
		level := []lowerSlice{{low: v.maximal(p.low)}}
		for r := 0; r <= n.k && len(level) > 0; r++ {
			for _, l := range level {
				q := l.interval(p, n.k-r)
				q.hasInitial = r == 0 && p.hasInitial || len(q.low) == 0 && v.whole
				fresh = append(fresh, q)
			}
			if r < n.k {
				level = v.further(level)
			}
		}
	}
	return fresh
}

// lowerSlice is a slice without some of its actions.
type lowerSlice struct {
	low  cut // maximal
	lost cut // sorted
}

func (l lowerSlice) interval(p *openInterval, more int) *openInterval {
	q := &openInterval{tiva: p.tiva, low: l.low, out: stdslices.Clone(p.out)}
	for _, a := range l.lost {
		x := happenedExit(a)
		q.out = append(q.out, &x)
	}
	if more > 0 || len(p.obligations) > 0 {
		q.obligations = []obligation{stepsObligation{p, l.lost, more}}
	}
	return q
}

// further returns the slices that lack one more action, each once.
func (g graph) further(level []lowerSlice) []lowerSlice {
	var out []lowerSlice
	seen := map[string]bool{}
	for _, l := range level {
		for i, a := range l.low {
			m := lowerSlice{lost: append(stdslices.Clone(l.lost), g.net.Canonical(a))}
			stdslices.SortFunc(m.lost, func(a, b san.Action) int {
				return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.K, b.K))
			})
			if key := fmt.Sprint(m.lost); !seen[key] {
				seen[key] = true
				m.low = g.maximal(stdslices.Concat(l.low[:i], l.low[i+1:], g.predecessors(a)))
				out = append(out, m)
			}
		}
	}
	return out
}

// conditionNode is a formula under conditions between tasks. Conditions on slots that stand for any
// task are tried with every task, including those created later.
type conditionNode struct {
	conds        []formula.Cond
	intervalList // those with such slots

	// top says that it only matters whether there is a violation for a TIVA. Then the last open
	// interval of each suffices for future tasks, if no obligation can make a difference.
	top bool
}

func (n *conditionNode) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	var fresh []*openInterval
	for _, p := range n.kept {
		n.expand(v, p, v.before, false, &fresh)
	}
	for _, p := range in[0] {
		if n.awaits(v, p.tiva) {
			n.kept = append(n.kept, p)
		}
		n.expand(v, p, 0, true, &fresh)
	}
	if n.top && len(in[0]) > 0 {
		n.kept = lastAlike(n.kept)
	}
	return fresh, nil
}

// lastAlike returns, for each TIVA, the last open interval that has the slice before all events and
// the last that has not, and all open intervals with obligations.
func lastAlike(intervals []*openInterval) []*openInterval {
	return lastBy(intervals, func(p *openInterval) string {
		switch key := tivaKey(p.tiva); {
		case len(p.obligations) > 0:
			return ""
		case p.hasInitial:
			return key + "bottom"
		default:
			return key
		}
	})
}

// awaits reports whether future tasks can meet the conditions.
func (n *conditionNode) awaits(v *version, tiva []san.Task) bool {
	open := stdslices.DeleteFunc(n.slots(), func(s int) bool { return tiva[s] != anyTask })
	if len(open) == 0 || !v.admits(n.conds, tiva) {
		return false
	}
	// each of them may be a future task
	several := stdslices.ContainsFunc(open, func(s int) bool { return s != open[0] })
	return several || !neverHolds(n.conds, tiva, open[0])
}

func (n *conditionNode) slots() []int {
	var slots []int
	for _, c := range n.conds {
		slots = append(slots, c.Left, c.Right)
	}
	return slots
}

// expand appends the open interval for all choices of tasks in open slots that meet the conditions.
// Unless all is set, it considers only choices with a task numbered first or above.
func (n *conditionNode) expand(v *version, p *openInterval, first int, all bool, fresh *[]*openInterval) {
	for _, slot := range n.slots() {
		if p.tiva[slot] != anyTask {
			continue
		}
		for t := range san.Task(v.tasks) {
			q := *p
			q.tiva = stdslices.Clone(p.tiva)
			q.tiva[slot] = t
			n.expand(v, &q, first, all || int(t) >= first, fresh)
		}
		return
	}
	if all && v.admits(n.conds, p.tiva) {
		*fresh = append(*fresh, p)
	}
}

// admits reports whether tasks meet conditions, as far as these are known.
func (g graph) admits(conds []formula.Cond, tiva []san.Task) bool {
	return g.admitsTasks(conds, func(slot int) san.Task { return tiva[slot] })
}

// admitsTasks is admits for the tasks that task returns by slot.
func (g graph) admitsTasks(conds []formula.Cond, task func(slot int) san.Task) bool {
	return !stdslices.ContainsFunc(conds, func(c formula.Cond) bool {
		left, right := task(c.Left), task(c.Right)
		return left != anyTask && right != anyTask && !g.compare(left, right, c.Caller, c.Differ)
	})
}

// compare evaluates a condition between two tasks: that they are the same, or that the left one
// created the right one, or its negation.
func (g graph) compare(left, right san.Task, caller, differ bool) bool {
	ok := true
	if caller {
		right, ok = g.net.Parent(right)
	}
	return (ok && left == right) != differ
}
