// Package ctl decides formulas of computation tree logic (CTL) on transition systems.
//
//	checker, err := ctl.New(graph, kripke.Unfair)
//	formula, err := temporal.Parse("formula", "AG EF green", temporal.CTL)
//	result, err := checker.Check(ctx, formula)
//	evidence, err := result.Evidence(ctx, result.Witness)
//
// CTL speaks about the tree of everything that can happen from a state on: each temporal operator says whether it means some
// path (E) or all of them (A). Check labels every state with the subformulas that are true there, the smallest ones first. That is the
// model checker of Clarke and Emerson, "Design and Synthesis of Synchronization Skeletons Using Branching Time Temporal
// Logic", section 4, in time linear in the moves of the graph for each subformula: the paper's passes over all states, as many
// as there are states, are replaced by lists of what has changed. Equal subformulas are labelled once.
//
// Three operators are enough for the rest: a next state, an until and a release on some path. For the others, with f' for !f:
//
//	EF f     = E[true U f]      AX f     = !EX f'
//	EG f     = E[false R f]     A[f U g] = !E[f' R g']
//	E[f W g] = E[g R (f | g)]   A[f R g] = !E[f' U g']
//	EGF f    = EF of f in a cycle (proposition 4.1)
//
// A Space has what a system and its sets of states can do; the formulas above and the evidence are the same for all of them. The one
// here is that of a graph, all of whose states are known (New). There a release is the greatest set that its equation allows: states
// leave it when none of their moves stays inside, which counters of moves find. So no component is needed for EG; only EGF, and fairness,
// ask for cycles.
//
// Under a Fairness the paths that E and A mean are the fair ones.
//
// A Result knows why it is what it is: see Evidence.
package ctl
