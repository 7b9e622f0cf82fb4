package ctl

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// Step is a move of a path.
type Step = kripke.Step

// walk is a search for a shortest way, breadth first.
type walk struct {
	graph  *graph
	inside func(kripke.State) bool // where the way may go on
	end    func(kripke.State) bool

	met   set
	order []kripke.State // those that were met
	came  []arrival      // of each of them
}

// arrival says how a state was met first.
type arrival struct {
	from    int // in order
	process int32
}

// newWalk prepares a search, which is for one call of way.
func (c *graph) newWalk(inside, end func(kripke.State) bool) *walk {
	return &walk{graph: c, inside: inside, end: end, met: bitset.New(uint(c.States()))}
}

// way returns the steps from s to where the walk ends, at least as many as least, which is 0 or 1. It reports whether there
// is such a way.
func (w *walk) way(s kripke.State, least int) ([]Step, bool) {
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
	w.came = append(w.came, a)
}

// back returns the steps to a state in order.
func (w *walk) back(at int) []Step {
	var steps []Step
	for ; w.came[at].from >= 0; at = w.came[at].from {
		steps = append(steps, Step{Process: w.came[at].process, To: w.order[at]})
	}
	slices.Reverse(steps)
	return steps
}
