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

// node computes, version by version, the open intervals of a formula: in is what is new of each of
// its children. An error is the cause why the version's context has ended.
type node interface {
	update(v *version, in [][]*openInterval) ([]*openInterval, error)
}

// version is an extension of the net.
type version struct {
	graph
	ctx    context.Context
	number int // in the checker, from 1
	// the new local states in which a local formula has another truth than before, in the order in
	// which they were recorded
	states []state
	tasks  int  // how many tasks there are
	before int  // how many there were before
	sweep  bool // it is time to drop what is over
	common *commonKnowledge
	closed bool // the run has ended: there will be no other version
	calm   bool // nothing is new but events: see quiet.go
	whole  bool // the net begins where the checker began
}

// state is a new local state with the truth of all local formulas.
type state struct {
	task   san.Task
	k      int32
	number int         // in the run, of all tasks
	truths []lsl.Truth // by local formula
}

// leaf is local nodes that hold together in local states of the task that a slot stands for.
// Its open intervals are the rows of local states in which they do.
type leaf struct {
	nodes []*formula.Node
	slot  int
	slots int

	open  []*exit         // by task: of the row that has not ended; nil if there is none
	fresh []*openInterval // room for what is new
	spare []*openInterval // rows that nothing names any more, at most maxSpare
}

// maxSpare is for how many rows a leaf keeps the memory.
const maxSpare = 64

// reuse takes back a row that nothing names any more but the leaf, as long as the row has not
// ended.
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
	p.born = s.number
	p.tiva = fillTIVA(p.tiva[:0], n.slots)
	p.tiva[n.slot] = s.task
	if s.k > 0 {
		p.low = append(p.low[:0], san.Action{Task: s.task, K: s.k})
	} else if spawn, ok := v.net.SpawnedBy(s.task); ok {
		p.low = append(p.low[:0], spawn)
	} else {
		p.low = nil
	}
	p.bottom = len(p.low) == 0
	return p
}

// blank returns a row of nothing yet, with room for the rest, which is allocated at once.
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

// fewSlots is how many slots most properties have at most.
const fewSlots = 4

func noTIVA(slots int) []san.Task { return fillTIVA(nil, slots) }

// fillTIVA returns a TIVA of no tasks, in the room there is if that is enough.
func fillTIVA(room []san.Task, slots int) []san.Task {
	t := stdslices.Grow(room, slots)[:slots:slots]
	for i := range t {
		t[i] = anyTask
	}
	return t
}

// initialNode is "true", for what only counts in the slice before all events.
type initialNode struct {
	slots int
	begun bool
}

func (n *initialNode) update(*version, [][]*openInterval) ([]*openInterval, error) {
	if n.begun {
		return nil, nil
	}
	n.begun = true
	return []*openInterval{{tiva: noTIVA(n.slots), bottom: true}}, nil
}

// conjunction is a node for "and" of two formulas.
type conjunction struct {
	left, right joinSide

	known []int32 // room for what is counted
}

// joinSide keeps the open intervals of one side of a conjunction for those that are still to come
// on the other.
type joinSide struct {
	intervals []*openInterval
	lag       int // how far the new open intervals of the other side can lie back; see lagOf

	// last are slots, if of the open intervals that agree in these only the last is needed for what
	// is still to come.
	last []int
}

func (n *conjunction) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	return n.meet(v, in), nil
}

// meet returns what is new of the conjunction.
func (n *conjunction) meet(v *version, in [][]*openInterval) []*openInterval {
	var fresh []*openInterval
	for _, p := range in[0] {
		n.each(v, n.right.intervals, p, func(q *openInterval) {
			if m, ok := v.meet(p, q); ok {
				fresh = append(fresh, m)
			}
		})
	}
	n.left.add(v, in[0])
	for _, q := range in[1] {
		n.each(v, n.left.intervals, q, func(p *openInterval) {
			if m, ok := v.meet(p, q); ok {
				fresh = append(fresh, m)
			}
		})
	}
	n.right.add(v, in[1])
	n.left.prune(v, in[0])
	n.right.prune(v, in[1])
	return fresh
}

// each calls do for the kept open intervals, at least for all those that have a slice in common
// with a new one.
func (n *conjunction) each(v *version, kept []*openInterval, with *openInterval, do func(*openInterval)) {
	const few = 8 // of which nothing is to be gained
	if len(kept) <= few {
		each(kept, do)
		return
	}
	n.known = v.count(with.low, n.known)
	for _, p := range kept {
		if !p.over(n.known) {
			do(p)
		}
	}
}

func (k *joinSide) add(v *version, ps []*openInterval) { k.intervals = append(k.intervals, ps...) }

// prune drops the open intervals that are not needed, fresh ones having come.
func (k *joinSide) prune(v *version, fresh []*openInterval) {
	if len(k.last) > 0 && len(fresh) > 0 {
		k.intervals = lastOf(k.intervals, k.last)
	}
	if !v.sweep || k.lag == unbounded {
		return
	}
	common := v.commonKnowledge(k.lag)
	k.intervals = stdslices.DeleteFunc(k.intervals, func(p *openInterval) bool { return p.over(common) })
}

// lastOf returns the last of the open intervals for each choice of tasks in some slots.
func lastOf(intervals []*openInterval, slots []int) []*openInterval {
	return lastBy(intervals, func(p *openInterval) string {
		var tiva []san.Task
		for _, s := range slots {
			tiva = append(tiva, p.tiva[s])
		}
		return tivaKey(tiva)
	})
}

// lastBy returns the last of the open intervals with each key, and all those whose key is empty.
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

// existential is a node for "exists" of a slot.
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

// sometimeNode: what is below an open interval. What lies strictly below a slice of it lacks the
// exits that this lacks.
type sometimeNode struct{}

func (sometimeNode) update(_ *version, in [][]*openInterval) ([]*openInterval, error) {
	var fresh []*openInterval
	for _, p := range in[0] {
		fresh = append(fresh,
			&openInterval{tiva: p.tiva, out: p.out, obligations: []obligation{laterObligation{p}}, bottom: true})
	}
	return fresh, nil
}

// next: what is k actions below an open interval. Some of these actions are among those that all
// slices of the open interval contain; the slice lacks these then.
type next struct{ k int }

func (n next) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	return n.below(v, in[0]), nil
}

// below returns what is k actions below the open intervals.
func (n next) below(v *version, intervals []*openInterval) []*openInterval {
	var fresh []*openInterval
	for _, p := range intervals {
		level := []lower{{low: v.maximal(p.low)}}
		for r := 0; r <= n.k && len(level) > 0; r++ {
			for _, l := range level {
				q := l.interval(p, n.k-r)
				q.bottom = r == 0 && p.bottom || len(q.low) == 0 && v.whole
				fresh = append(fresh, q)
			}
			if r < n.k {
				level = v.further(level)
			}
		}
	}
	return fresh
}

// lower is a slice without some of its actions.
type lower struct {
	low  cut // maximal
	lost cut // sorted
}

func (l lower) interval(p *openInterval, more int) *openInterval {
	q := &openInterval{tiva: p.tiva, low: l.low, out: stdslices.Clone(p.out)}
	for _, a := range l.lost {
		x := happens(a)
		q.out = append(q.out, &x)
	}
	if more > 0 || len(p.obligations) > 0 {
		q.obligations = []obligation{climb{p, l.lost, more}}
	}
	return q
}

// further returns the slices without one more action, each once.
func (g graph) further(level []lower) []lower {
	var out []lower
	seen := map[string]bool{}
	for _, l := range level {
		for i, a := range l.low {
			m := lower{lost: append(stdslices.Clone(l.lost), g.net.Canonical(a))}
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
// task are tried with every task, also with those that are created later.
type conditionNode struct {
	conds []formula.Cond
	kept  []*openInterval // with such slots

	// top says that it only matters whether there is a violation for a TIVA. Then the last
	// open interval of each will do for tasks to come, if no obligation can make a difference.
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

// lastAlike returns the last open interval of each TIVA that has the slice before all events, and
// the last that has not, and all open intervals with obligations.
func lastAlike(intervals []*openInterval) []*openInterval {
	return lastBy(intervals, func(p *openInterval) string {
		switch key := tivaKey(p.tiva); {
		case len(p.obligations) > 0:
			return ""
		case p.bottom:
			return key + "bottom"
		default:
			return key
		}
	})
}

// awaits reports whether tasks to come can fulfil the conditions.
func (n *conditionNode) awaits(v *version, tiva []san.Task) bool {
	open := stdslices.DeleteFunc(n.slots(), func(s int) bool { return tiva[s] != anyTask })
	if len(open) == 0 || !v.admits(n.conds, tiva) {
		return false
	}
	// any of them can be to come
	several := stdslices.ContainsFunc(open, func(s int) bool { return s != open[0] })
	return several || !isVain(n.conds, tiva, open[0])
}

func (n *conditionNode) slots() []int {
	var slots []int
	for _, c := range n.conds {
		slots = append(slots, c.Left, c.Right)
	}
	return slots
}

// expand adds the open interval for all tasks in the open slots of the conditions for which they
// hold, but, if not all is set, only where one of the tasks is from first on.
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
	if all && n.hold(v, p.tiva) {
		*fresh = append(*fresh, p)
	}
}

func (n *conditionNode) hold(v *version, tiva []san.Task) bool {
	return !stdslices.ContainsFunc(n.conds, func(c formula.Cond) bool {
		return !v.compare(tiva[c.Left], tiva[c.Right], c.Caller, c.Differ)
	})
}

// admits reports whether conditions hold for tasks, as far as these are known.
func (g graph) admits(conds []formula.Cond, tiva []san.Task) bool {
	return !stdslices.ContainsFunc(conds, func(c formula.Cond) bool {
		left, right := tiva[c.Left], tiva[c.Right]
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
