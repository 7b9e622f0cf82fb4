package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// cycles returns the states of goal in which a fair path can be infinitely often that stays within some states. These are states of
// components (proposition 4.1): whoever goes on for ever is in the end in one, and can be in each of its states again and
// again.
func (c *graph) cycles(within, goal set) set {
	r := bitset.New(uint(c.States()))
	for _, component := range c.fairComponents(within).states {
		for _, s := range component {
			if goal.Test(uint(s)) {
				r.Set(uint(s))
			}
		}
	}
	return r
}

// fairComponents returns the components in which some path is fair that is in each of its states infinitely often. States of others are taken
// away. Under strong fairness these are only those in which a process can move that does not move inside, as without them
// there may be smaller components in which it cannot.
func (c *graph) fairComponents(within set) *components {
	if c.fairness == kripke.Unfair {
		return c.components(within)
	}
	within = within.Clone()
	for {
		found, fair := c.components(within), true
		for i := range found.states {
			if away := c.unfair(found, i); len(away) > 0 {
				fair = false
				for _, s := range away {
					within.Clear(uint(s))
				}
			}
		}
		if fair {
			return found
		}
	}
}

// unfair returns the states of a component that are not in a fair cycle.
func (c *graph) unfair(cs *components, component int) []kripke.State {
	states := cs.states[component]
	forgotten := c.forgotten(cs, component)
	switch {
	case len(forgotten) == 0:
		return nil
	case c.fairness != kripke.Strong:
		return states
	}
	var able []kripke.State
	for _, s := range states {
		if slices.ContainsFunc(c.MovedBy(s), func(p int32) bool { return slices.Contains(forgotten, p) }) {
			able = append(able, s)
		}
	}
	return able
}

// forgotten returns the processes that do not move inside a component, and for weak fairness can always move. Under strong fairness
// that is no harm if they can never move.
func (c *graph) forgotten(cs *components, component int) []int32 {
	content := make([]bool, len(c.Processes()))
	last := make([]int, len(content)) // by process, the last state in which it has a move, counted from 1
	for n, s := range cs.states[component] {
		by := c.MovedBy(s)
		for i, to := range c.Successors(s) {
			if p := by[i]; p != kripke.Nobody {
				last[p] = n + 1
				content[p] = content[p] || cs.number[to] == int32(component)
			}
		}
		for p := range content {
			content[p] = content[p] || c.fairness == kripke.Weak && last[p] != n+1
		}
	}
	var forgotten []int32
	for p, ok := range content {
		if !ok {
			forgotten = append(forgotten, int32(p))
		}
	}
	return forgotten
}
