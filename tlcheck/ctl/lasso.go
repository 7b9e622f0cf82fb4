package ctl

import "github.com/antichain-go/antichain/tlcheck/kripke"

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

// cycle returns a fair way from s back to s within its component.
func (c *Checker) cycle(s kripke.State, cs *components) []Step {
	component := cs.number[s]
	inside := func(s kripke.State) bool { return cs.number[s] == component }
	var steps []Step
	at := s
	to := func(end kripke.State, least int) {
		way, _ := c.newWalk(inside, func(s kripke.State) bool { return s == end }).way(at, least)
		steps, at = append(steps, way...), end
	}
	if c.fairness != kripke.Unfair {
		for p, r := range c.roles(cs, int(component)) {
			switch {
			case r.moves != nowhere:
				to(r.moves, 0)
				step := c.innerMove(at, int32(p), inside)
				steps, at = append(steps, step), step.To
			case c.fairness == kripke.Weak:
				to(r.idle, 0)
			}
		}
	}
	least := 0
	if len(steps) == 0 {
		least = 1
	}
	to(s, least)
	return steps
}

// innerMove returns a move of a process that stays inside.
func (c *Checker) innerMove(s kripke.State, process int32, inside func(kripke.State) bool) Step {
	by := c.graph.MovedBy(s)
	for i, to := range c.graph.Successors(s) {
		if by[i] == process && inside(to) {
			return Step{process, to}
		}
	}
	panic("ctl: a process has no move where its role says so")
}
