// Package tableau decides whether a formula of computation tree logic has a model, and makes a finite one: the decision procedure of
// Clarke and Emerson, "Design and Synthesis of Synchronization Skeletons Using Branching Time Temporal Logic", section 5.
//
//	formula, err := temporal.Parse("formula", "EX p & EX !p", temporal.CTL)
//	answer, err := tableau.Sat(ctx, formula, tableau.Options{})
//	fmt.Println(answer.Model != nil)
//
// A tableau is a graph of OR-nodes, sets of formulas that a state has to make true, and AND-nodes, which are sets of elementary
// formulas: atoms, their negations, EX_i f and AX_i f. The successors of an OR-node are its blocks, the ways to make its formulas true;
// those of an AND-node are its tiles, what its next states have to make true. Nodes with the same set are one node. That a state has some
// next one is a choice of who moves, so it matters how many processes there are.
//
// Nodes that cannot be states are deleted: those that need one that is deleted, and those with an eventuality, as AF f, that no choice of
// blocks makes true. Whatever is left can be put together: see place. States of the model that no formula can tell apart
// are made one, and the formula is checked on it by package ctl.
//
// Three things are not as in the paper. An AND-node has no formulas but elementary ones, since these say what it says of all
// others, so fewer nodes differ. And an eventuality is not fulfilled because some node that has it can be reached, but by ranks
// that get smaller. And there are EGF and AFG, which the paper has for checking models only: see file levels.go.
package tableau
