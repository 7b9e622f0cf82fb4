package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// cycles returns the states of goal that some fair path within a set visits infinitely often. They
// are states of components: every infinite path ends up in one, and can visit each of its states
// again and again (Clarke and Emerson 1981, proposition 4.1).
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

// fairComponents returns the components with a fair path that visits each of their states
// infinitely often. It removes states of the others. Under strong fairness it removes only states
// in which a neglected process can move, since without them a smaller component may be fair.
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

// unfair returns the states of a component that are in no fair cycle.
func (c *graph) unfair(cs *components, component int) []kripke.State {
	states := cs.states[component]
	forgotten := c.neglected(cs, component)
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

// neglected returns the processes that do not move inside a component although fairness demands it:
// under weak fairness those that can move in all states, under strong fairness those that can move
// in some.
func (c *graph) neglected(cs *components, component int) []int32 {
	content := make([]bool, len(c.Processes()))
	// of each process, the last state in which it has a move, counted from 1
	last := make([]int, len(content))
	for n, s := range cs.states[component] {
		by := c.MovedBy(s)
		for i, to := range c.Successors(s) {
			if p := by[i]; p != kripke.NoProcess {
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
