package ctl

import (
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// Preimage scans the moves of all states.
func (c *graph) Preimage(process int32, x set) (set, error) {
	r := bitset.New(uint(c.States()))
	for s := range kripke.State(c.States()) {
		if c.move(s, process, x) {
			r.Set(uint(s))
		}
	}
	return r, nil
}

// move reports whether a process has a move from s to x. AnyProcess stands for all processes.
func (c *graph) move(s kripke.State, process int32, x set) bool {
	by := c.MovedBy(s)
	for i, to := range c.Successors(s) {
		if x.Test(uint(to)) && (process == AnyProcess || by[i] == process) {
			return true
		}
	}
	return false
}

// until is E[during U goal] (Clarke and Emerson 1981, §4). The paper's passes "radiate"
// outwards from the goal. Here each state hands the label to its predecessors once.
func (c *graph) until(during, goal set) set {
	r := goal.Clone()
	reached := make([]kripke.State, 0, r.Count())
	for s := range r.EachSet() {
		reached = append(reached, kripke.State(s))
	}
	for len(reached) > 0 {
		s := reached[len(reached)-1]
		reached = reached[:len(reached)-1]
		for _, p := range c.Graph.Predecessors(s) {
			if during.Test(uint(p)) && !r.Test(uint(p)) {
				r.Set(uint(p))
				reached = append(reached, p)
			}
		}
	}
	return r
}

// release is E[free R x]: the states from which some path stays in x for ever, or up to and
// including a state that is also in free. A state leaves the result when its last move into the
// result is gone, which moves counts. The path need not be fair, so this serves only if all paths
// are.
func (c *graph) release(free, x set) set {
	r := x.Clone()
	var lost []kripke.State
	for i := range x.EachSet() {
		s := kripke.State(i)
		if free.Test(i) {
			continue
		}
		n := int32(0)
		for _, to := range c.Successors(s) {
			if x.Test(uint(to)) {
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
		r.Clear(uint(s))
		for _, p := range c.Graph.Predecessors(s) {
			if !r.Test(uint(p)) || free.Test(uint(p)) {
				continue
			}
			if c.moves[p]--; c.moves[p] == 0 {
				lost = append(lost, p)
			}
		}
	}
	return r
}
