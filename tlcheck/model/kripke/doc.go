// Package kripke has what temporal logics are checked on: transition systems, whose states say which propositions
// are true (Kripke structures).
//
//	structure, err := kripke.ParseStructure("light.json", text)
//	graph, err := kripke.Explore(ctx, structure)
//	for _, next := range graph.Successors(graph.Initial()[0]) {
//		fmt.Println(kripke.Text(graph, next))
//	}
//
// A System is lazy. It numbers its states from 0 in the order in which it first meets them, and finds the moves of a state
// when it is asked for them. So a search takes no more than what it looks at, and whoever wants a note on each
// state keeps a slice. Explicit structures are systems (ParseStructure), finite-state programs (package gcl),
// and whatever else has states and moves: the slices of a recorded run, or a process that is steered, which only goes forward.
//
// Explore asks for all there is, and keeps it as a Graph: the moves in compressed rows, forward and, when it is wanted,
// backward. All states and moves of a Graph are numbers in few large slices.
package kripke
