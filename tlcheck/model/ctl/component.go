package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// components are the strongly connected components of some states, and of the moves between these, that have a move: so on
// every state of a component there is a cycle.
type components struct {
	states [][]kripke.State // of each component
	number []int32          // of each state, that of its component; -1 if it is in none
}

// components finds components by the algorithm of Tarjan, "Depth-First Search and Linear Graph Algorithms", with a stack of
// its own instead of recursion.
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

	met    int32   // how many states
	low    []int32 // of a state: 0 if not met, done if its component is complete, else a lower bound of when the search met it
	path   []frame // from the root of the search to where it is
	open   []kripke.State
	closed []kripke.State // has all states in the end, and never grows beyond its capacity: components are parts of it
}

// frame is a state on the path of the search.
type frame struct {
	state kripke.State
	next  int   // its move to be followed next
	met   int32 // when
}

const done = -1

// search finds the components of what can be reached from root.
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
		} else { // so there is one below, of the same component
			below := t.path[len(t.path)-1].state
			t.low[below] = min(t.low[below], t.low[top.state])
		}
	}
}

func (t *tarjan) meet(s kripke.State) {
	t.met++
	t.low[s] = t.met
	t.path = append(t.path, frame{state: s, met: t.met})
	t.open = append(t.open, s)
}

// follow looks at a move from f to s.
func (t *tarjan) follow(f *frame, s kripke.State) {
	switch {
	case !t.within.Test(uint(s)) || t.low[s] == done:
	case t.low[s] == 0:
		t.meet(s)
	default:
		t.low[f.state] = min(t.low[f.state], t.low[s])
	}
}

// close takes the component whose first state is s from the open states.
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
