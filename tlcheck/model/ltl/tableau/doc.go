// Package tableau decides formulas of linear temporal logic (LTL) over infinite words, and on all
// paths of transition systems.
//
//	formula, err := temporal.Parse("formula", "G F green", temporal.InfiniteLTL)
//	result, err := tableau.Check(ctx, kripke.Remember(program), kripke.Unfair, formula)
//	fmt.Println(result.Counterexample == nil)
//
// The method is the tableau of Sherman and Pnueli, "Model Checking for Linear Temporal Logic: An
// Efficient Implementation", 1990, §4:
//
//	formula ── closure ──> α/β table ── analyze ──> nodes and edges ── search ──> a lasso, or
//	                                                      │                       removed nodes
//	                       transition system ── product ──┘
//
// A formula is brought into negation normal form, with negations at atoms only. Its subformulas are
// numbered, and sets of them are bit sets. A node is the set of formulas that hold in a state.
// Procedure analyze finds the ways to satisfy them by the α and β rules: the claims of each way
// about the state itself, and its obligations on the next state, which are the next node. The
// report's nodes are ways, which are the edges here, so equal obligations are analyzed once.
//
// Such a graph does not enforce eventualities, p U q and so F q: a way may always postpone q. A
// word satisfies the formula if its path postpones no eventuality for ever. That is possible if
// some strongly connected component has, for each eventuality, an edge that does not postpone it.
// The search looks for such a component while nodes are made (Couvreur, "On-the-fly Verification of
// Linear Temporal Logic", 1999). It removes the other components, as procedure check does. The
// states of a transition system are made on demand, too, if it is a *kripke.Memory.
//
// # Differences
//
// The report's text has errors that change answers. This package differs in these points:
//
//   - Nodes are identified by all their obligations. The report compares atoms and next-formulas,
//     and so loses eventualities when it merges nodes: G X F p & G !p would be satisfiable.
//   - An eventuality is postponed if the way has chosen to postpone it.
//   - A component needs an edge inside, even if it is a leaf.
//   - For !(p U q), which is !p R !q, the printed rule makes another eventuality. Here it is: !q,
//     and either !p or the same in the next state.
//   - In the product, a pair is identified by both its node and its state.
package tableau
