package slices

import "github.com/antichain-go/antichain/san"

// NewLatticeOfMany is NewLattice as it is for nets with many tasks.
func NewLatticeOfMany(net *san.Net) *Lattice {
	l := newLattice(net, false)
	l.walkLimit = net.Tasks() / 8
	return l
}
