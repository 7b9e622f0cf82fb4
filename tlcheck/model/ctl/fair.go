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

// components are the strongly connected components of a set of states, restricted to moves within
// the set. Those without a move are left out, so each has a cycle through all its states.
type components struct {
	states [][]kripke.State // of each component
	number []int32          // of each state, the index of its component; -1 if it is in none
}

// components finds components by the algorithm of Tarjan, "Depth-First Search and Linear Graph
// Algorithms", 1972, §4, with an explicit stack, since recursion could be as deep as there
// are states.
func (c *graph) components(within set) *components {
	n := c.States()
	t := &tarjan{graph: c, within: within, low: make([]int32, n), closed: make([]kripke.State, 0, within.Count())}
	t.found.number = make([]int32, n)
	for s := range t.found.number {
		t.found.number[s] = -1
	}
	for i := range within.EachSet() {
		s := kripke.State(i)
		if t.low[s] == 0 {
			t.search(s)
		}
	}
	return &t.found
}

type tarjan struct {
	graph  *graph
	within set
	found  components

	visited int32 // number of states
	// of a state: 0 if it was not met, done if its component is complete, else a lower bound of
	// when the search met it
	low  []int32
	path []frame // from the root of the search to its present state
	open []kripke.State
	// has all states at the end; its capacity suffices from the start, as components are parts of
	// it
	closed []kripke.State
}

// frame is a state on the path of the search.
type frame struct {
	state kripke.State
	next  int   // index of the move to follow next
	met   int32 // when the search met it
}

const done = -1

func (t *tarjan) search(root kripke.State) {
	t.meet(root)
	for len(t.path) > 0 {
		f := &t.path[len(t.path)-1]
		if to := t.graph.Successors(f.state); f.next < len(to) {
			s := to[f.next]
			f.next++
			t.follow(f, s)
			continue
		}
		top := *f
		t.path = t.path[:len(t.path)-1]
		if t.low[top.state] == top.met {
			t.close(top.state)
		} else { // the state below is of the same component
			below := t.path[len(t.path)-1].state
			t.low[below] = min(t.low[below], t.low[top.state])
		}
	}
}

func (t *tarjan) meet(s kripke.State) {
	t.visited++
	t.low[s] = t.visited
	t.path = append(t.path, frame{state: s, met: t.visited})
	t.open = append(t.open, s)
}

func (t *tarjan) follow(f *frame, s kripke.State) {
	switch {
	case !t.within.Test(uint(s)) || t.low[s] == done:
	case t.low[s] == 0:
		t.meet(s)
	default:
		t.low[f.state] = min(t.low[f.state], t.low[s])
	}
}

// close completes the component whose first state is s.
func (t *tarjan) close(s kripke.State) {
	first := len(t.open) - 1
	for t.open[first] != s {
		first--
	}
	from := len(t.closed)
	t.closed = append(t.closed, t.open[first:]...)
	t.open = t.open[:first]
	component := t.closed[from:]
	for _, s := range component {
		t.low[s] = done
	}
	if len(component) == 1 && !t.loops(s) {
		return
	}
	for _, s := range component {
		t.found.number[s] = int32(len(t.found.states))
	}
	t.found.states = append(t.found.states, component)
}

// loops reports whether s has a move to itself.
func (t *tarjan) loops(s kripke.State) bool {
	return slices.Contains(t.graph.Successors(s), s)
}
