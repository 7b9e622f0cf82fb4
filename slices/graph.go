package slices

import "github.com/bits-and-blooms/bitset"

// Graph is the explicit form of a lattice: every slice with its successors, in an order in which
// each slice comes before its successors. Slices are numbered from 0, the initial one.
type Graph struct{}

// Enumerate returns all slices; false if there are more than limit.
func (l *Lattice) Enumerate(limit int) (*Graph, bool) { panic("not built yet") }

// Len returns the number of slices.
func (g *Graph) Len() int { panic("not built yet") }

// Slice returns slice number n.
func (g *Graph) Slice(n int) Ideal { panic("not built yet") }

// Index returns the number of a slice.
func (g *Graph) Index(i Ideal) (int, bool) { panic("not built yet") }

// Successors returns the immediate successors of slice n; they must not be changed.
func (g *Graph) Successors(n int) []int { panic("not built yet") }

// Above returns the slices strictly reachable from slice n; it must not be changed. The
// first call computes the relation, which takes Len()² bits.
func (g *Graph) Above(n int) *bitset.BitSet { panic("not built yet") }
