package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// Lassos finds the components once.
func (c *graph) Lassos(during, goal set) (func(kripke.State) (Lasso, error), error) {
	cs := c.fairComponents(during)
	fair := func(s kripke.State) bool { return goal.Test(uint(s)) && cs.number[s] >= 0 }
	return func(from kripke.State) (Lasso, error) {
		steps, _ := c.newWalk(contains(during), fair).path(from, 0)
		start := from
		if len(steps) > 0 {
			start = steps[len(steps)-1].To
		}
		return Lasso{append(steps, c.cycle(start, cs)...), len(steps)}, nil
	}, nil
}

// cycle returns a fair path from s back to s within its component. It goes to a move of each
// process that has not moved yet.
func (c *graph) cycle(s kripke.State, cs *components) []Step {
	inside := func(to kripke.State) bool { return cs.number[to] == cs.number[s] }
	var steps []Step
	at := s
	to := func(least int, end func(kripke.State) bool) bool {
		way, ok := c.newWalk(inside, func(s kripke.State) bool { return inside(s) && end(s) }).path(at, least)
		if steps = append(steps, way...); len(steps) > 0 {
			at = steps[len(steps)-1].To
		}
		return ok
	}
	for p := range int32(len(c.Processes())) {
		if c.fairness == kripke.Unfair || slices.ContainsFunc(steps, func(s Step) bool { return s.Process == p }) {
			continue
		}
		content := func(s kripke.State) bool {
			return c.innerMove(s, p, inside) >= 0 || c.fairness == kripke.Weak && !slices.Contains(c.MovedBy(s), p)
		}
		// the process cannot move in the component, so strong fairness does not demand it
		if !to(0, content) {
			continue
		}
		if i := c.innerMove(at, p, inside); i >= 0 {
			at = c.Successors(at)[i]
			steps = append(steps, Step{Process: p, To: at})
		}
	}
	least := 0
	if len(steps) == 0 {
		least = 1
	}
	to(least, func(to kripke.State) bool { return to == s })
	return steps
}

// innerMove returns the index of a move of a process that stays inside; -1 if there is none.
func (c *graph) innerMove(s kripke.State, process int32, inside func(kripke.State) bool) int {
	by := c.MovedBy(s)
	for i, to := range c.Successors(s) {
		if by[i] == process && inside(to) {
			return i
		}
	}
	return -1
}

// Step is a move of a path.
type Step = kripke.Step

// walk is a breadth-first search for a shortest path.
type walk struct {
	graph  *graph
	inside func(kripke.State) bool // states through which the path may lead
	end    func(kripke.State) bool

	met      set
	order    []kripke.State // states that were met, in order
	arrivals []arrival      // of each of them, how it was met
}

// arrival is the step by which a state was first met.
type arrival struct {
	from    int // index in order
	process int32
}

// newWalk prepares searches.
func (c *graph) newWalk(inside, end func(kripke.State) bool) *walk {
	return &walk{graph: c, inside: inside, end: end, met: bitset.New(uint(c.States()))}
}

// path returns the steps from s to the nearest end, at least as many as least, which is 0 or 1. It
// reports whether there is such a path.
func (w *walk) path(s kripke.State, least int) ([]Step, bool) {
	if least == 0 && w.end(s) {
		return nil, true
	}
	w.visit(s, arrival{from: -1})
	for at := 0; at < len(w.order); at++ {
		s := w.order[at]
		if !w.inside(s) {
			continue
		}
		by := w.graph.MovedBy(s)
		for i, to := range w.graph.Successors(s) {
			if w.end(to) {
				return append(w.stepsTo(at), Step{Process: by[i], To: to}), true
			}
			if !w.met.Test(uint(to)) {
				w.visit(to, arrival{at, by[i]})
			}
		}
	}
	return nil, false
}

func (w *walk) visit(s kripke.State, a arrival) {
	w.met.Set(uint(s))
	w.order = append(w.order, s)
	w.arrivals = append(w.arrivals, a)
}

// stepsTo returns the steps from the start to a state.
func (w *walk) stepsTo(at int) []Step {
	var steps []Step
	for ; w.arrivals[at].from >= 0; at = w.arrivals[at].from {
		steps = append(steps, Step{Process: w.arrivals[at].process, To: w.order[at]})
	}
	slices.Reverse(steps)
	return steps
}
