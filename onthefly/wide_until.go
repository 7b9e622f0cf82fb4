package onthefly

import (
	"context"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// wideUntil is "c and (p until q)" at the top of a property, of combinations p and q of local
// formulas of several tasks. All open intervals contain new local states when they arrive, and have
// no obligations: in[0] are those of c, in[1] those in which p is false, in[2] those in which q is
// true, the goals.
//
// A slice l of c is a violation if some goal J is above it and p is true in all slices strictly
// between the two. If l contains the least slice g of the goal, J is a successor of l, or l has a
// successor in the goal (docs/slice-sets.md, "until"). Else the least J is l ∪ g.
//
// So the search for a goal begins at the least slice of an open interval of c. Whenever an open
// interval [a,b] of "p is false" has a slice between, the search continues above those slices of c
// that have none between (raise): these contain an exit of [a,b], or the part of g without a, or a
// and the part of g in b. If an exit has not happened, the search resumes when it does.
//
// All future goals contain the common knowledge (common_knowledge.go). If p is false in a slice
// above l that contains no more than l and that knowledge, l is of no use any more. So open
// intervals of c that are over keep only slices that can still matter. Among these, the last one of
// each choice of tasks is kept if it contains what the others do.
//
// For each task variable of p that c leaves open there is a copy of c for each task, and one for
// future tasks: in that copy the variable stands for anyTask and makes p false nowhere.
type wideUntil struct {
	bads      []int          // slots of p
	conds     []formula.Cond // on the tasks of a violation, as far as known here
	apart     []int          // slots whose tasks matter: of p, q and the conditions
	initially bool           // only the slice before all events counts

	close  conjunction // of c and the slices one action before a goal
	groups orderedMap[*heldGroup]
	goals  []*countedInterval // those that future slices may lack
	resume []*wideSearch

	bad   orderedMap[*falseIntervals]
	forms [][]int // all forms so far, in order

	// Open intervals that become violations as soon as a task stands for some open variable of p;
	// the last for each choice of other tasks.
	latent orderedMap[*openInterval]
}

// heldGroup has the open intervals of c that wait for goals with the same tasks in the slots that
// matter. No goal so far makes a slice of them a violation, except through searches that can
// resume.
type heldGroup struct {
	tiva []san.Task // tasks of these slots
	held []*countedInterval
}

// countedInterval is an open interval with the counts of its least slice.
type countedInterval struct {
	*openInterval
	counts []int32 // by task, for the tasks at that time; nil if there were none
}

// least returns the number of events of each task in the least slice.
func (p *countedInterval) least(v *version) []int32 {
	switch n := len(p.counts); {
	case p.counts == nil:
		p.counts = v.count(p.low, nil)
	case n < v.tasks: // it has no event of new tasks
		p.counts = append(p.counts[:n:n], make([]int32, v.tasks-n)...)
	}
	return p.counts
}

// falseIntervals has the open intervals in which p is false, of one TIVA.
type falseIntervals struct {
	form      []int // the slots that stand for tasks
	intervals []*openInterval
}

// wideSearch is a search for violations in an open interval that resumes when an exit happens.
type wideSearch struct {
	*openInterval // of c and not above the exits of the goal; the search resumes there
	goal          *countedInterval
	exit          *exit
}

func newWideUntil(p, q *formula.Node, conds []formula.Cond, initially bool) *wideUntil {
	return &wideUntil{bads: p.Free, conds: conds, apart: slotsWith(conds, stdslices.Concat(p.Free, q.Free)...),
		initially: initially}
}

func (n *wideUntil) update(v *version, in [][]*openInterval) ([]*openInterval, error) {
	fresh := n.close.meet(v, [][]*openInterval{in[0], nextNode{1}.below(v, in[2])})
	report := func(p *openInterval) {
		if n.isOpen(p) {
			n.latent.put(tivaKey(n.relevantTasks(p.tiva)), p)
		} else {
			fresh = append(fresh, p)
		}
	}
	for t := v.before; t < v.tasks; t++ {
		n.create(v, san.Task(t), report)
	}
	for _, p := range in[1] {
		n.addFalse(p)
	}
	n.resumeSearches(v, report)
	for _, c := range in[0] {
		if err := context.Cause(v.ctx); err != nil {
			return nil, err
		}
		n.hold(v, c, report)
	}
	for _, p := range in[2] {
		if err := context.Cause(v.ctx); err != nil {
			return nil, err
		}
		goal := &countedInterval{openInterval: p}
		for _, g := range n.groups.values {
			n.pair(v, g, g.held, goal, report)
		}
		n.goals = append(n.goals, goal)
	}
	if v.sweep {
		n.forget(v)
	}
	return fresh, nil
}

// isOpen reports whether a task variable of p stands for a future task.
func (n *wideUntil) isOpen(p *openInterval) bool {
	return stdslices.ContainsFunc(n.bads, func(slot int) bool { return p.tiva[slot] == anyTask })
}

// create gives a new task the open intervals that wait for future tasks, and resumes their searches
// for it.
func (n *wideUntil) create(v *version, t san.Task, report func(*openInterval)) {
	for _, g := range n.groups.values {
		for _, tiva := range n.choices(g.tiva, []san.Task{t}) {
			if !v.admits(n.conds, tiva) || neverHolds(n.conds, tiva, n.bads...) {
				continue
			}
			own := n.group(tiva)
			for _, h := range g.held {
				own.held = append(own.held, &countedInterval{n.chosen(h.openInterval, tiva), h.counts})
			}
		}
	}
	for _, s := range n.resume {
		for _, tiva := range n.choices(s.tiva, []san.Task{t}) {
			n.resume = append(n.resume, &wideSearch{n.chosen(s.openInterval, tiva), s.goal, s.exit})
		}
	}
	for _, p := range n.latent.values {
		for _, tiva := range n.choices(p.tiva, []san.Task{t}) {
			if v.admits(n.conds, tiva) {
				report(n.chosen(p, tiva))
			}
		}
	}
}

// choices returns all ways in which some of the tasks, at least one, can stand for the open
// variables of p.
func (n *wideUntil) choices(tiva []san.Task, tasks []san.Task) [][]san.Task {
	all := [][]san.Task{tiva}
	for _, slot := range n.bads {
		if tiva[slot] != anyTask {
			continue
		}
		for _, some := range all {
			for _, t := range tasks {
				more := stdslices.Clone(some)
				more[slot] = t
				all = append(all, more)
			}
		}
	}
	return all[1:]
}

// chosen returns a copy of an open interval in which the slots of the formula p stand for the tasks
// in tiva.
func (n *wideUntil) chosen(p *openInterval, tiva []san.Task) *openInterval {
	q := *p
	q.tiva = stdslices.Clone(p.tiva)
	for _, slot := range n.bads {
		q.tiva[slot] = tiva[slot]
	}
	return &q
}

// relevantTasks returns a TIVA with the tasks of those slots that matter (apart). Its other slots
// stand for any task.
func (n *wideUntil) relevantTasks(of []san.Task) []san.Task {
	tiva := noTIVA(len(of))
	for _, slot := range n.apart {
		tiva[slot] = of[slot]
	}
	return tiva
}

// group returns the group for the tasks of a TIVA that matter, a new one if there is none.
func (n *wideUntil) group(of []san.Task) *heldGroup {
	tiva := n.relevantTasks(of)
	key := tivaKey(tiva)
	g, ok := n.groups.get(key)
	if !ok {
		g = &heldGroup{tiva: tiva}
		n.groups.put(key, g)
	}
	return g
}

// addFalse records that p is false in an open interval.
func (n *wideUntil) addFalse(p *openInterval) {
	key := tivaKey(p.tiva)
	l, ok := n.bad.get(key)
	if !ok {
		l = &falseIntervals{form: n.form(p.tiva)}
		n.bad.put(key, l)
	}
	l.intervals = append(l.intervals, p)
}

// form returns the slots of p that stand for tasks.
func (n *wideUntil) form(tiva []san.Task) []int {
	var form []int
	for _, slot := range n.bads {
		if tiva[slot] != anyTask {
			form = append(form, slot)
		}
	}
	i, ok := stdslices.BinarySearchFunc(n.forms, form, stdslices.Compare)
	if !ok {
		n.forms = stdslices.Insert(n.forms, i, form)
	}
	return n.forms[i]
}

// falseFor returns the open intervals in which p is false for a TIVA.
func (n *wideUntil) falseFor(tiva []san.Task) (all []*openInterval) {
	part := noTIVA(len(tiva))
	for _, form := range n.forms {
		part = fillTIVA(part[:0], len(part))
		for _, slot := range form {
			part[slot] = tiva[slot]
		}
		if l, ok := n.bad.get(tivaKey(part)); ok && stdslices.Equal(l.form, form) {
			all = append(all, l.intervals...)
		}
	}
	return all
}

// hold looks for goals above a new open interval of c, for all tasks that it leaves open, and lets
// it wait for future ones.
func (n *wideUntil) hold(v *version, c *openInterval, report func(*openInterval)) {
	if n.initially && !c.hasInitial {
		return
	}
	tasks := make([]san.Task, v.tasks)
	for t := range tasks {
		tasks[t] = san.Task(t)
	}
	counts := v.count(c.low, nil)
	for _, tiva := range append(n.choices(c.tiva, tasks), c.tiva) {
		if !v.admits(n.conds, tiva) || neverHolds(n.conds, tiva, n.bads...) {
			continue
		}
		g, h := n.group(tiva), &countedInterval{n.chosen(c, tiva), counts}
		for _, goal := range n.goals {
			n.pair(v, g, []*countedInterval{h}, goal, report)
		}
		g.held = append(g.held, h)
	}
}

// pair looks for violations below a goal.
func (n *wideUntil) pair(
	v *version, g *heldGroup, held []*countedInterval, goal *countedInterval, report func(*openInterval),
) {
	if len(held) == 0 || !n.match(g, goal) {
		return
	}
	bad := n.falseFor(g.tiva)
	for _, h := range held {
		s := &wideSearch{openInterval: h.towards(goal), goal: goal}
		n.search(v, s, bad, h.least(v), report)
	}
}

// match reports whether a group and a goal can have the same tasks.
func (n *wideUntil) match(g *heldGroup, goal *countedInterval) bool {
	for slot, t := range goal.tiva {
		if u := g.tiva[slot]; t != anyTask && t != u && (u != anyTask || stdslices.Contains(n.bads, slot)) {
			return false
		}
	}
	return true
}

// towards returns the part of an open interval of c that is not above the exits of a goal.
func (h *countedInterval) towards(goal *countedInterval) *openInterval {
	p := &openInterval{tiva: stdslices.Clone(h.tiva), low: h.low, out: stdslices.Concat(h.out, goal.out),
		hasInitial: h.hasInitial}
	for slot, t := range goal.tiva {
		if t != anyTask {
			p.tiva[slot] = t
		}
	}
	return p
}

// resumeSearches resumes searches.
func (n *wideUntil) resumeSearches(v *version, report func(*openInterval)) {
	was := n.resume
	n.resume = nil
	for _, s := range was {
		switch {
		case s.exit.happened:
			n.search(v, s, n.falseFor(s.tiva), v.count(v.join(s.low, cut{s.exit.action}), nil), report)
		case !s.exit.never:
			n.resume = append(n.resume, s)
		}
	}
}

// search looks for the least violations that contain a slice.
func (n *wideUntil) search(v *version, s *wideSearch, bad []*openInterval, from []int32, report func(*openInterval)) {
	if !v.admits(n.conds, s.tiva) || neverHolds(n.conds, s.tiva, n.bads...) {
		return
	}
	limit := &spoilLimit{counts: s.goal.least(v), goal: s.goal.low}
	todo, seen := [][]int32{from}, map[string]bool{}
	for len(todo) > 0 {
		slice := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.isOver(slice) || hasAll(slice, s.goal.low) {
			continue
		}
		i := stdslices.IndexFunc(bad, func(b *openInterval) bool { return limit.spoils(v, b, slice) })
		if i < 0 {
			p := *s.openInterval
			p.low, p.hasInitial = v.generators(slice), s.hasInitial && stdslices.Equal(slice, from)
			report(&p)
			return
		}
		if n.initially {
			return
		}
		for _, x := range bad[i].out {
			if !x.happened && !x.never {
				p := *s.openInterval
				p.low, p.hasInitial = v.generators(slice), false
				n.resume = append(n.resume, &wideSearch{&p, s.goal, x})
			}
		}
		for _, higher := range limit.raise(v, bad[i], slice) {
			if key := countsKey(higher); !seen[key] {
				seen[key] = true
				todo = append(todo, higher)
			}
		}
	}
}
