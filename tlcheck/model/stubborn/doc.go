// Package stubborn leaves out interleavings of finite-state programs that no formula without X can tell from others (partial-order
// reduction).
//
//	program, err := stubborn.Reduce(program, formula.Atoms())
//	result, err := tableau.Check(ctx, kripke.Remember(program), kripke.Unfair, formula)
//
// In each state the reduced program has all moves, or those of a stubborn set of actions (A. Valmari, "Stubborn Sets for Reduced State
// Space Generation", 1991). Such a set has for each action that is
//
//   - possible: all actions of its process at the same place, and those of others that it conflicts with, because one writes what the
//     other one reads or writes;
//   - not possible: all actions one of which must come before it is. These are those that lead to its place, or if its process is
//     there, those that write what its condition reads.
//
// So what the other actions do can be done behind the first action of the set as well. That gives ample sets as in
// E. Clarke, O. Grumberg and D. Peled, "Model Checking", chapter 10, whose conditions are met like this:
//
//   - C0, C1: the set has a possible action, and it is stubborn.
//   - C2: unless all moves are there, none changes an atom of the formula.
//   - C3: unless all moves are there, none closes a loop in the flow graph of its process. As each loop of states goes through a
//     loop of some flow graph, it has a state with all moves (R. Kurshan, V. Levin, M. Minea, D. Peled and H. Yenigün, "Static Partial
//     Order Reduction", 1998). So the moves of a state do not depend on the search.
//
// Each infinite path then has one in the reduced program that says the same about the atoms, but for how often it repeats itself, and on which
// all actions of the first one occur. So paths on which every process moves infinitely often (kripke.Process) have such ones. Weak and
// strong fairness ask in which states a process could move, and the two paths may go through other states: they are not for
// reduced programs. States without moves, and moves that leave the range of a variable, are all found, though perhaps from other states.
package stubborn
