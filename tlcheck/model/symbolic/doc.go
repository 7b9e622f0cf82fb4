// Package symbolic represents sets of states of finite-state programs (package gcl) as decision
// diagrams (package bdd).
//
// It is for programs with too many states for a graph (McMillan, "Symbolic Model Checking", 1993).
// Package ctl decides formulas on them.
//
//	space, err := symbolic.New(ctx, program, symbolic.Options{})
//	formula, err := temporal.Parse("formula", "AG x < 4", temporal.CTL)
//	result, err := ctl.NewOnSpace(space).Check(ctx, formula)
package symbolic
