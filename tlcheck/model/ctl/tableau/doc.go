// Package tableau decides whether a formula of computation tree logic has a model, and makes a
// finite one. It is the decision procedure of Clarke and Emerson, "Design and Synthesis of
// Synchronization Skeletons Using Branching Time Temporal Logic", 1981, §5.
//
//	formula, err := temporal.Parse("formula", "EX p & EX !p", temporal.CTL)
//	answer, err := tableau.Sat(ctx, formula, tableau.Options{})
//	fmt.Println(answer.Model != nil)
//
// A tableau is a graph of OR-nodes and AND-nodes. An OR-node is a set of formulas that a state has
// to make true. An AND-node is a set of elementary formulas: atoms, their negations, EX_i f and
// AX_i f. The successors of an OR-node are its blocks, the ways to make its formulas true; those of
// an AND-node are its tiles, the requirements on its next states. Nodes with the same set are one
// node. That a state has a successor is a choice of the process that moves, so the number of
// processes matters.
//
// Nodes that cannot be states are deleted: those that need a deleted node, and those with an
// eventuality, as AF f, that no choice of blocks fulfils. The remaining nodes make a model: see
// unravelledState. States that no formula can distinguish are merged, and package ctl checks the
// formula on the model.
//
// The procedure differs from the paper in three points. An AND-node has only elementary formulas:
// they determine all others, so fewer nodes differ. Ranks that decrease show that an eventuality is
// fulfilled; reachability of a node that has it is not enough. EGF and AFG, which the paper has
// only for model checking, are decided by levels: see file prune.go.
package tableau
