// Package kripke defines transition systems on which temporal logics are checked: Kripke
// structures, in which each state has a set of true propositions.
//
//	structure, err := kripke.ParseStructure("light.json", text)
//	graph, err := kripke.Explore(ctx, structure)
//	for _, next := range graph.Successors(graph.Initial()[0]) {
//		fmt.Println(kripke.Text(graph, next))
//	}
//
// A System is lazy. It numbers states from 0 in the order in which it first meets them, and
// computes the moves of a state on demand. A search costs no more than the states that it visits,
// and data about states fit into a Go slice. Systems are explicit structures (ParseStructure),
// finite-state programs (package gcl), the slices of a recorded run, and a steered process, which
// only goes forward.
//
// Explore visits all states and stores them as a Graph, with the moves in compressed rows, forward
// and, on demand, backward. A Graph consists of numbers in few large slices. A Memory (Remember)
// computes the moves of a state when a search asks for them, and keeps those of the states on the
// path of the search.
package kripke
