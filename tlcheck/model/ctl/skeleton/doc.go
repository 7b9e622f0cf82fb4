// Package skeleton turns models of CTL formulas into concurrent programs, the synchronization skeletons of
// Clarke and Emerson, "Design and Synthesis of
// Synchronization Skeletons Using Branching Time Temporal Logic", section 6.
//
//	formula, err := temporal.Parse("formula", "N1 & N2 & AG (N1 -> EX_1 T1) & AG !(C1 & C2)", temporal.CTL)
//	made, err := skeleton.Synthesize(ctx, formula, 2)
//	fmt.Print(made.Skeletons.Program())
//
// An atom that only the moves of one process change belongs to that process; what these atoms say is the region in which the
// process is. Other atoms are shared. States of the model with equal atoms are told apart by an auxiliary variable, which
// every move into one of them sets. A process has an arc from region to region where the model has a move of that process, with the
// guard that says in which states of the others and with which values of the shared variables it has one.
//
// Guards are as short as they can be without saying more of the states of the model than they must.
//
// The program is one of package gcl. Its variables are the atoms, so that the specification can be checked on it. It is also written
// as a Go package, and what of the specification a trace of that can violate as one in the slice logic.
package skeleton
