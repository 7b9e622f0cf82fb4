// Package slices computes with sets of slices, the global states of a net, without enumerating
// them.
//
//	lattice := slices.NewLattice(net)
//	set := lattice.Set(lattice.Containing(task, 2, 5)) // the slices with these states of a task
//	before, err := set.Sometime(slices.Budget{})
//	least, ok := before.Least()
//
// A slice is a maximal set of pairwise concurrent local states (Frey 1996, §4; Frey and Schlingloff
// 1998, §2.2). It is the frontier of a downward-closed set of actions, an [Ideal]. Ideals ordered
// by inclusion form a finite distributive lattice:
//
//	a  ─1─2─      {}          a:0 b:0          the net on the left has no cause between
//	              /  \                          a and b, so every pair of positions is
//	b  ─1─       {a1} {b1}                      a slice; b:0 → a:1,b:0 → a:2,b:0 …
//	             |  \ /
//	          {a1,a2} {a1,b1}
//	              \   /
//	            {a1,a2,b1}
//
// A [Set] is a finite union of intervals of that lattice. All operations of the temporal logic
// (Frey 1996, §4) stay within such unions: see [Set.Next], [Set.Sometime] and [Set.Until]. Package
// slicestest enumerates the slices of small nets, for tests.
//
// The package shares its name with one of the standard library. Files that need both import the
// latter as stdslices.
package slices
