package ctl

import (
	"context"
	"iter"
	"math/big"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/bits-and-blooms/bitset"
)

// set is a set of states, which are below the number of states for which the set was made.
type set = *bitset.BitSet

func contains(x set) func(kripke.State) bool {
	return func(s kripke.State) bool { return x.Test(uint(s)) }
}

// graph is the Space of an explicit graph.
type graph struct {
	*kripke.Graph
	fairness kripke.Fairness

	every set
	fair  set

	moves []int32 // of each state, how many of its moves stay in the set of a running release
}

var _ Space[set] = (*graph)(nil)

func newGraph(g *kripke.Graph, fairness kripke.Fairness) *graph {
	n := g.States()
	c := &graph{Graph: g, fairness: fairness, every: bitset.New(uint(n)), moves: make([]int32, n)}
	c.every.FlipRange(0, uint(n))
	c.fair = c.every
	if fairness != kripke.Unfair {
		c.fair = c.infinitelyOften(c.every, c.every)
	}
	return c
}

func (c *graph) System() kripke.System { return c.Graph }

// Within does not look at the context: each operation takes time linear in the moves.
func (c *graph) Within(_ context.Context, work func() error) error { return work() }

func (c *graph) Every() set                      { return c.every }
func (c *graph) Fair() set                       { return c.fair }
func (c *graph) And(x, y set) set                { return x.Intersection(y) }
func (c *graph) Or(x, y set) set                 { return x.Union(y) }
func (c *graph) Minus(x, y set) set              { return x.Difference(y) }
func (c *graph) Count(x set) *big.Int            { return new(big.Int).SetUint64(uint64(x.Count())) }
func (c *graph) Has(x set, at kripke.State) bool { return x.Test(uint(at)) }

func (c *graph) All(x set) iter.Seq2[kripke.State, error] {
	return func(yield func(kripke.State, error) bool) {
		for s := range x.EachSet() {
			if !yield(kripke.State(s), nil) {
				return
			}
		}
	}
}

func (c *graph) Where(a kripke.Atom) set {
	r := bitset.New(uint(c.States()))
	for s := range kripke.State(c.States()) {
		if c.Holds(a, s) {
			r.Set(uint(s))
		}
	}
	return r
}

func (c *graph) Until(during, goal set) (set, error) { return c.until(during, goal), nil }

// WeakUntil needs no cycles if all paths are fair.
func (c *graph) WeakUntil(during, goal set) (set, error) {
	if c.fairness == kripke.Unfair {
		return c.release(goal, during.Union(goal)), nil
	}
	return c.until(during, goal.Union(c.cycles(during, during))), nil
}

func (c *graph) InfinitelyOften(during, goal set) (set, error) {
	return c.infinitelyOften(during, goal), nil
}

func (c *graph) infinitelyOften(during, goal set) set { return c.until(during, c.cycles(during, goal)) }

func (c *graph) ShortestPath(from kripke.State, during, goal set) ([]Step, bool, error) {
	way, ok := c.newWalk(contains(during), contains(goal)).path(from, 0)
	return way, ok, nil
}

func (c *graph) Reached(from kripke.State, during set) *big.Int {
	w := c.newWalk(contains(during), func(kripke.State) bool { return false })
	w.path(from, 0)
	return big.NewInt(int64(len(w.order)))
}
