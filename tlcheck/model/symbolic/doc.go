// Package symbolic has the states of finite-state programs (package gcl) in sets that are decision diagrams (package bdd), for programs with
// more states than a graph can have: McMillan, "Symbolic Model Checking". Package ctl decides formulas on them.
//
//	space, err := symbolic.New(ctx, program, symbolic.Options{})
//	formula, err := temporal.Parse("formula", "AG x < 4", temporal.CTL)
//	result, err := ctl.Over(space).Check(ctx, formula)
package symbolic
