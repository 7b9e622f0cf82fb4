package slices

import "github.com/antichain-go/antichain/san"

// NewLatticeOfMany is NewLattice as it is for nets with many tasks.
func NewLatticeOfMany(net *san.Net) *Lattice {
	l := newLattice(net, false)
	l.walkLimit = net.Tasks() / 8
	return l
}

// Intersects reports whether s and o have a common slice.
func (s Set) Intersects(o Set) bool {
	for _, x := range s.ivs {
		for _, y := range o.ivs {
			if x.meets(y) {
				return true
			}
		}
	}
	return false
}
