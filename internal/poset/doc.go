// Package poset measures the partial order of a net: the length of its longest chain, the size of
// its largest antichain, and the number of its ideals. Each ideal is a slice of the net.
//
//	p := poset.New(net)
//	atLeast, atMost := p.Width(ctx)
//	fmt.Println(p.Height(), atLeast, atMost, p.Ideals(ctx).Max)
//
// The elements are the actions of the net, in an order in which the run recorded them. A joint
// action is one element. Every task is a chain, which all three computations use:
//
//   - [Poset.Height] visits the actions once.
//   - [Poset.Width] begins with the tasks as a cover by chains, and removes chains by a flow with
//     lower bounds until all are needed (Dilworth, "A Decomposition Theorem for Partially Ordered
//     Sets", 1950).
//   - [Poset.Ideals] counts without enumerating. It splits the order into parts above one another,
//     whose numbers add, and parts beside one another, whose numbers multiply. The rest is counted
//     task by task if tasks are related as the vertices of a tree are, perhaps after the order of a
//     lock has become a vertex of its own (tree.go, hub.go), or else by a dynamic program over few
//     actions at a time (sweep.go).
//   - [Poset.Assignments] counts in the same way the assignments of tasks to roles in the ideals
//     (sum.go).
package poset
