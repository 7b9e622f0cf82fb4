// Package tableau decides formulas of linear temporal logic (LTL) over infinite words, and on all paths of transition systems.
//
//	formula, err := temporal.Parse("formula", "G F green", temporal.InfiniteLTL)
//	result, err := tableau.Check(ctx, kripke.Remember(program), kripke.Unfair, formula)
//	fmt.Println(result.Counterexample == nil)
//
// The method is the tableau of Sherman and Pnueli, "Model Checking for Linear Temporal Logic: An Efficient
// Implementation" (1990), section 4:
//
//	formula ── closure ──> α/β table ── analyze ──> nodes and edges ── search ──> a lasso, or what was removed
//	                                                      │
//	                       transition system ── product ──┘
//
// A formula is brought into negation normal form, so its negations stand at atoms. Its subformulas are numbered, and sets of them are
// bits. A node is the set of formulas that hold in a state; analyze finds the ways to meet them, by the α and β
// rules: what each way says about the state itself, and what it leaves for the next state, which is the next
// node. So the report's nodes, which are ways, are the edges here, and equal rests are analyzed once.
//
// Eventualities, p U q and so F q, are what such a graph does not care for: a way may always postpone q. A word satisfies the formula if
// its path does not postpone any of them for ever, which is so if there is a strongly connected component in which each of them
// is not postponed somewhere. The search looks for one while nodes are made (J.-M. Couvreur, "On-the-fly Verification
// of Linear Temporal Logic", 1999), and components without one are removed, as in procedure check. The states of a transition system, too, are
// made meanwhile, if it is a *kripke.Memory.
//
// # Differences
//
// The report's text has errors that change answers, and this package does something else:
//
//   - Nodes are identified by all that they oblige to. The report compares atoms and next-formulas and so loses eventualities
//     when it merges nodes: G X F p & G !p would be satisfiable.
//   - What counts for an eventuality is whether a way has chosen to postpone it.
//   - A component needs an edge inside, also if it is a leaf.
//   - For !(p U q), which is !p R !q, the printed rule makes another eventuality. Here it is: !q, and either !p or the same in the next state.
//   - Pairs of nodes and states are identified by both, in the product.
package tableau
