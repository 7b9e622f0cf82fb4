// Package tracemodel presents a recorded run as a transition system (package kripke). This allows
// to check formulas of temporal logic on a run, and to go through it in temporal steps, forward and
// backward (the replay that Frey and Schlingloff 1998, §5, ask for).
//
//	run := tracemodel.New(net)
//	graph, err := kripke.Explore(ctx, run) // all global states
//	formula, err := temporal.Parse("formula", "G !(a:(in.f) & b:(in.f))", temporal.InfiniteLTL)
//
// The states are the slices of the run's net, and the moves its actions: a slice has a move for
// each action that can come next, in any interleaving. Processes are the tasks. A joint action is a
// move of the first of its tasks. Slices are numbered when a search first visits them, and take a
// few words each.
//
// Propositions are local formulas of named tasks, t:(local), with the meaning of specifications.
// The logics here have two truth values: a proposition holds where the local formula is true. It
// does not hold where the formula is false or undefined, or the task is not created yet. Therefore
// !t:(p) is true in more slices than t:(not p).
package tracemodel
