package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// lasso is an infinite path: steps, of which those from loop on are repeated for ever.
type lasso struct {
	steps []Step
	loop  int
}

// lasso returns a fair path from s that stays in states of within and is in some state of goal infinitely often. There must be one.
func (c *Checker) lasso(s kripke.State, within, goal set, cs *components) lasso {
	fair := func(s kripke.State) bool { return goal.has(s) && cs.number[s] >= 0 }
	steps, _ := c.newWalk(within.has, fair).way(s, 0)
	start := s
	if len(steps) > 0 {
		start = steps[len(steps)-1].To
	}
	return lasso{append(steps, c.cycle(start, cs)...), len(steps)}
}

// cycle returns a fair way from s back to s within its component. To each process that has not moved yet it goes where that can.
func (c *Checker) cycle(s kripke.State, cs *components) []Step {
	inside := func(to kripke.State) bool { return cs.number[to] == cs.number[s] }
	var steps []Step
	at := s
	to := func(least int, end func(kripke.State) bool) bool {
		way, ok := c.newWalk(inside, func(s kripke.State) bool { return inside(s) && end(s) }).way(at, least)
		if steps = append(steps, way...); len(steps) > 0 {
			at = steps[len(steps)-1].To
		}
		return ok
	}
	for p := range int32(len(c.graph.Processes())) {
		if c.fairness == kripke.Unfair || slices.ContainsFunc(steps, func(s Step) bool { return s.Process == p }) {
			continue
		}
		content := func(s kripke.State) bool {
			return c.innerMove(s, p, inside) >= 0 || c.fairness == kripke.Weak && !slices.Contains(c.graph.MovedBy(s), p)
		}
		if !to(0, content) { // it cannot move anywhere here, which is strongly fair
			continue
		}
		if i := c.innerMove(at, p, inside); i >= 0 {
			at = c.graph.Successors(at)[i]
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
func (c *Checker) innerMove(s kripke.State, process int32, inside func(kripke.State) bool) int {
	by := c.graph.MovedBy(s)
	for i, to := range c.graph.Successors(s) {
		if by[i] == process && inside(to) {
			return i
		}
	}
	return -1
}
