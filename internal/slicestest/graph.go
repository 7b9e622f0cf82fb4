// Package slicestest enumerates the slices of small nets, for tests of code that computes with
// slices.
package slicestest

import (
	"sync"

	"github.com/bits-and-blooms/bitset"

	"github.com/antichain-go/antichain/slices"
)

// Graph is the explicit form of a lattice: every slice with its successors. Slices are numbered
// from 0, the initial one, and each precedes its successors.
type Graph struct {
	slices     []slices.Ideal
	successors [][]int
	index      map[string]int // by String

	once  sync.Once
	above []*bitset.BitSet
}

// Enumerate returns all slices of a lattice. It reports false if there are more than limit.
func Enumerate(l *slices.Lattice, limit int) (*Graph, bool) {
	g := &Graph{index: make(map[string]int)}
	if limit < 1 {
		return nil, false
	}
	g.number(l.Bottom())
	for n := 0; n < len(g.slices); n++ { // the loop adds slices
		i := g.slices[n]
		enabled := l.Enabled(i)
		successors := make([]int, len(enabled))
		for j, a := range enabled {
			if successors[j] = g.number(l.Fire(i, a)); len(g.slices) > limit {
				return nil, false
			}
		}
		g.successors = append(g.successors, successors)
	}
	return g, true
}

// number returns the number of a slice. A new slice gets the next number.
func (g *Graph) number(i slices.Ideal) int {
	key := i.String()
	n, ok := g.index[key]
	if !ok {
		n = len(g.slices)
		g.index[key] = n
		g.slices = append(g.slices, i)
	}
	return n
}

// Len returns the number of slices.
func (g *Graph) Len() int { return len(g.slices) }

// Slice returns slice number n.
func (g *Graph) Slice(n int) slices.Ideal { return g.slices[n] }

// Index returns the number of a slice.
func (g *Graph) Index(i slices.Ideal) (int, bool) {
	n, ok := g.index[i.String()]
	return n, ok
}

// Successors returns the immediate successors of slice n. The caller must not change them.
func (g *Graph) Successors(n int) []int { return g.successors[n] }

// Above returns the slices strictly reachable from slice n. The caller must not change them. The
// first call computes the relation, which takes Len()² bits.
func (g *Graph) Above(n int) *bitset.BitSet {
	g.once.Do(func() {
		g.above = make([]*bitset.BitSet, len(g.slices))
		for n := len(g.slices) - 1; n >= 0; n-- {
			above := bitset.New(uint(len(g.slices)))
			for _, s := range g.successors[n] {
				above.InPlaceUnion(g.above[s])
				above.Set(uint(s))
			}
			g.above[n] = above
		}
	})
	return g.above[n]
}
