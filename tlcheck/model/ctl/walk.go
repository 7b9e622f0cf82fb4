package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// Step is a move of a path.
type Step = kripke.Step

// walk is a breadth-first search for a shortest path.
type walk struct {
	graph  *graph
	inside func(kripke.State) bool // states through which the path may lead
	end    func(kripke.State) bool

	met      set
	order    []kripke.State // states that were met, in order
	arrivals []arrival      // of each of them, how it was met
}

// arrival is the step by which a state was first met.
type arrival struct {
	from    int // index in order
	process int32
}

// newWalk prepares searches.
func (c *graph) newWalk(inside, end func(kripke.State) bool) *walk {
	return &walk{graph: c, inside: inside, end: end, met: bitset.New(uint(c.States()))}
}

// path returns the steps from s to the nearest end, at least as many as least, which is 0 or 1. It
// reports whether there is such a path.
func (w *walk) path(s kripke.State, least int) ([]Step, bool) {
	if least == 0 && w.end(s) {
		return nil, true
	}
	w.meet(s, arrival{from: -1})
	for at := 0; at < len(w.order); at++ {
		s := w.order[at]
		if !w.inside(s) {
			continue
		}
		by := w.graph.MovedBy(s)
		for i, to := range w.graph.Successors(s) {
			if w.end(to) {
				return append(w.back(at), Step{Process: by[i], To: to}), true
			}
			if !w.met.Test(uint(to)) {
				w.meet(to, arrival{at, by[i]})
			}
		}
	}
	return nil, false
}

func (w *walk) meet(s kripke.State, a arrival) {
	w.met.Set(uint(s))
	w.order = append(w.order, s)
	w.arrivals = append(w.arrivals, a)
}

// back returns the steps from the start to a state.
func (w *walk) back(at int) []Step {
	var steps []Step
	for ; w.arrivals[at].from >= 0; at = w.arrivals[at].from {
		steps = append(steps, Step{Process: w.arrivals[at].process, To: w.order[at]})
	}
	slices.Reverse(steps)
	return steps
}
