// Package skeleton turns models of CTL formulas into concurrent programs, the synchronization
// skeletons of Clarke and Emerson, "Design and Synthesis of Synchronization Skeletons Using
// Branching Time Temporal Logic", 1981, §6.
//
//	text := "N1 & N2 & AG (N1 -> EX_1 T1) & AG !(C1 & C2)"
//	formula, err := temporal.Parse("formula", text, temporal.CTL)
//	made, err := skeleton.Synthesize(ctx, formula, 2)
//	fmt.Print(made.Skeletons.Program())
//
// An atom that only the moves of one process change belongs to that process; its atoms name the
// region in which a process is. Other atoms are shared. An auxiliary variable distinguishes states
// of the model with equal atoms. Every move into such a state sets it.
//
// A process has an arc between two regions if the model has a move of that process between them.
// The guard of the arc gives the states of the others and the values of the shared variables in
// which there is such a move. Guards are as short as possible without excluding states of the model
// that they must admit.
//
// The program is one of package gcl. Its variables are the atoms, so the specification can be
// checked on it. The package also writes the program as a Go package, and the safety part of the
// specification in the slice logic, for traces of that package.
package skeleton
