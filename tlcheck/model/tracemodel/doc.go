// Package tracemodel presents a recorded run as a transition system (package kripke). So formulas of temporal logic can be
// checked on a run, and temporal steps go forward and backward in it (Frey and Schlingloff 1998, §5,
// ask for such a replay).
//
//	run := tracemodel.New(net)
//	graph, err := kripke.Explore(ctx, run) // all global states
//	formula, err := temporal.Parse("formula", "G !(a:(in.f) & b:(in.f))", temporal.InfiniteLTL)
//
// The states are the slices of the run's net, the moves its actions: a slice has a move for each action
// that can come next, in whatever interleaving. Processes are the tasks. A joint action is a move of the first of its tasks.
// Slices are numbered when a search first visits them, and take a few words each.
//
// Propositions are local formulas of named tasks, t:(local), with the meaning they have in specifications. The logics
// here have two truth values: a proposition holds where the local formula is true, and does not where that is false,
// undefined, or the task is not created yet. So !t:(p) is true in more slices than t:(not p).
package tracemodel
