// Package poset measures the partial order of a net: how long its longest chain is, how large its
// largest antichain, and how many ideals it has, which is how many slices the net has.
//
// The elements are the actions of the net, in an order in which the run recorded them. A joint
// action is one element. Every task is a chain, which all three numbers rest on:
//
//   - [Poset.Height] walks the actions once.
//   - [Poset.Width] begins with the tasks as a cover by chains and takes chains away by a flow
//     with lower bounds until none can be spared (Dilworth's theorem).
//   - [Poset.Ideals] counts without enumerating. It takes the order apart into parts that lie
//     above one another, whose numbers add, and parts beside one another, whose numbers multiply;
//     what is left goes through a dynamic program over few actions at a time (sweep.go).
//
// [Enumerate] is the explicit twin of the last one, fast enough to be used on its own.
package poset
