// Package ctl decides formulas of computation tree logic (CTL) on transition systems.
//
//	checker, err := ctl.New(graph, kripke.Unfair)
//	formula, err := temporal.Parse("formula", "AG EF green", temporal.CTL)
//	result, err := checker.Check(ctx, formula)
//	evidence, err := result.Evidence(ctx, result.Witness)
//
// CTL describes the tree of all continuations of a state: each temporal operator quantifies over
// some path (E) or over all paths (A). Check labels every state with the subformulas that are true
// there, the smallest ones first. This is the model checker of Clarke and Emerson, "Design and
// Synthesis of Synchronization Skeletons Using Branching Time Temporal Logic", 1981, §4. It
// takes time linear in the moves of the graph for each subformula, as work lists replace the
// paper's passes over all states. Equal subformulas are labelled once.
//
// Three operators are enough for the rest: a next state, an until and a release on some path. For
// the others, with f' for !f:
//
//	EF f     = E[true U f]      AX f     = !EX f'
//	EG f     = E[false R f]     A[f U g] = !E[f' R g']
//	E[f W g] = E[g R (f | g)]   A[f R g] = !E[f' U g']
//	EGF f    = EF of f in a cycle (proposition 4.1)
//
// A Space has the operations of a system and its sets of states; the formulas above and the
// evidence are the same for all spaces. The one here is that of a graph whose states are all known
// (New). There a release is the greatest fixed point of its equation: states leave it when none of
// their moves stays inside, which counters of moves find. Therefore EG needs no components; only
// EGF and fairness need cycles.
//
// Under a Fairness, E and A quantify over the fair paths.
//
// Result.Evidence explains a result.
package ctl
