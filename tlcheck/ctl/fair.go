package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// cycles returns the states of goal in which a fair path can be infinitely often that stays within some states. These are states of
// components (proposition 4.1): whoever goes on for ever is in the end in one, and can be in each of its states again and
// again.
func (c *Checker) cycles(within, goal set) set {
	r := newSet(c.graph.States())
	for _, component := range c.fairComponents(within).states {
		for _, s := range component {
			if goal.has(s) {
				r.add(s)
			}
		}
	}
	return r
}

// fairComponents returns the components in which some path is fair that is in each of its states infinitely often. States of others are taken
// away. Under strong fairness these are only those in which a process can move that does not move inside, as without them
// there may be smaller components in which it cannot.
func (c *Checker) fairComponents(within set) *components {
	if c.fairness == kripke.Unfair {
		return c.components(within)
	}
	within = slices.Clone(within)
	for {
		found, fair := c.components(within), true
		for i := range found.states {
			if away := c.unfair(found, i); len(away) > 0 {
				fair = false
				for _, s := range away {
					within.remove(s)
				}
			}
		}
		if fair {
			return found
		}
	}
}

// unfair returns the states of a component that are not in a fair cycle.
func (c *Checker) unfair(cs *components, component int) []kripke.State {
	states := cs.states[component]
	var forgotten []int32
	for p, r := range c.roles(cs, component) {
		if !r.content(c.fairness) {
			forgotten = append(forgotten, int32(p))
		}
	}
	switch {
	case len(forgotten) == 0:
		return nil
	case c.fairness != kripke.Strong:
		return states
	}
	var able []kripke.State
	for _, s := range states {
		if slices.ContainsFunc(c.graph.MovedBy(s), func(p int32) bool { return slices.Contains(forgotten, p) }) {
			able = append(able, s)
		}
	}
	return able
}

// role is what a process does in a component.
type role struct {
	moves kripke.State // here it has a move that stays inside; or nowhere
	idle  kripke.State // here it has no move; or nowhere
}

// content reports whether a path that is in each state of the component infinitely often can be fair to the process; under strong
// fairness it also is to one that has no moves at all.
func (r role) content(f kripke.Fairness) bool {
	return r.moves != nowhere || f == kripke.Weak && r.idle != nowhere
}

// roles returns what each process does in a component.
func (c *Checker) roles(cs *components, component int) []role {
	roles := make([]role, len(c.graph.Processes()))
	for p := range roles {
		roles[p] = role{moves: nowhere, idle: nowhere}
	}
	moved := make([]int, len(roles)) // by process, the last state in which it has a move, counted from 1
	for n, s := range cs.states[component] {
		by := c.graph.MovedBy(s)
		for i, to := range c.graph.Successors(s) {
			p := by[i]
			if p == kripke.Nobody {
				continue
			}
			moved[p] = n + 1
			if cs.number[to] == int32(component) {
				roles[p].moves = s
			}
		}
		for p := range roles {
			if moved[p] != n+1 {
				roles[p].idle = s
			}
		}
	}
	return roles
}
