package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// nextSome returns where some move of a process, or of anybody, goes to x: EX x.
func (c *Checker) nextSome(process int32, x set) set {
	x = and(x, c.fair)
	r := newSet(c.graph.States())
	for s := range kripke.State(c.graph.States()) {
		if c.move(s, process, x) >= 0 {
			r.add(s)
		}
	}
	return r
}

// move returns the index of the first move from s by a process, or by anybody, to x; -1 if there is none.
func (c *Checker) move(s kripke.State, process int32, x set) int {
	by := c.graph.MovedBy(s)
	for i, to := range c.graph.Successors(s) {
		if x.has(to) && (process == anybody || by[i] == process) {
			return i
		}
	}
	return -1
}

// untilSome returns where some path leads to goal through states of during: E[during U goal]. The paper's passes "radiate"
// outwards from the goal; here each state that has got the label hands it to its predecessors, once.
func (c *Checker) untilSome(during, goal set) set {
	r := and(goal, c.fair)
	reached := slices.Collect(r.all())
	for len(reached) > 0 {
		s := reached[len(reached)-1]
		reached = reached[:len(reached)-1]
		for _, p := range c.graph.Predecessors(s) {
			if during.has(p) && !r.has(p) {
				r.add(p)
				reached = append(reached, p)
			}
		}
	}
	return r
}

// releaseSome returns where some path stays in x for ever, or up to and including a state that is in free as well: E[free R x]. A
// state leaves the result when the last of its moves into the result has gone; moves counts them. What is left has paths that go on for
// ever, but not always a fair one: so this is for where all paths count.
func (c *Checker) releaseSome(free, x set) set {
	r := slices.Clone(x)
	var lost []kripke.State
	for s := range x.all() {
		if free.has(s) {
			continue
		}
		n := int32(0)
		for _, to := range c.graph.Successors(s) {
			if x.has(to) {
				n++
			}
		}
		if c.moves[s] = n; n == 0 {
			lost = append(lost, s)
		}
	}
	for len(lost) > 0 {
		s := lost[len(lost)-1]
		lost = lost[:len(lost)-1]
		r.remove(s)
		for _, p := range c.graph.Predecessors(s) {
			if !r.has(p) || free.has(p) {
				continue
			}
			if c.moves[p]--; c.moves[p] == 0 {
				lost = append(lost, p)
			}
		}
	}
	return r
}
