package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
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
