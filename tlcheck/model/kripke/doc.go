// Package kripke defines transition systems on which temporal logics are checked. Each state says which propositions
// are true in it (Kripke structures).
//
//	structure, err := kripke.ParseStructure("light.json", text)
//	graph, err := kripke.Explore(ctx, structure)
//	for _, next := range graph.Successors(graph.Initial()[0]) {
//		fmt.Println(kripke.Text(graph, next))
//	}
//
// A System is lazy. It numbers its states from 0 in the order in which it first meets them, and computes the moves of a state
// on demand. So a search costs no more than the states that it visits, and notes on states fit into a Go slice. Systems are
// explicit structures (ParseStructure), finite-state programs (package gcl), the slices of a recorded run, and a steered
// process, which only goes forward.
//
// Explore visits all states and keeps them as a Graph: the moves in compressed rows, forward and, on demand,
// backward. All states and moves of a Graph are numbers in few large slices. A Memory (Remember) finds the moves of the
// states that a search asks for, and keeps those of the states on its way.
package kripke
