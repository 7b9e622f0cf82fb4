// Package stubborn leaves out interleavings of finite-state programs that no formula without X can tell from others (partial-order
// reduction).
//
//	program, err := stubborn.Reduce(program, formula, kripke.Unfair)
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
//   - C3: unless all moves are there, none closes a loop in the graph of its process, which has the places together with the values of variables
//     that no other process writes. As each loop of states goes through loops of some of these graphs, it has a state with all moves (R. Kurshan,
//     V. Levin, M. Minea, D. Peled and H. Yenigün, "Static Partial Order Reduction", 1998, for flow graphs). So the moves of a state do not
//     depend on the search: they are the same breadth first, depth first, and when they are found again.
//
// Each infinite path then has one in the reduced program that says the same about the atoms, but for how often it repeats itself, and on which
// all actions of the first one occur. So paths on which every process moves infinitely often (kripke.Process) have such ones. Weak and
// strong fairness ask in which states a process could move, and the two paths may go through other states: they are not for
// reduced programs. States without moves, and moves that leave the range of a variable, are all found, though perhaps from other states.
//
// A safety property over all paths needs less than C3: unless all moves are there, some possible action closes no loop. That no action is ignored
// then is condition S of A. Valmari and H. Hansen, "Stubborn Set Intuition Explained", 2017, which is enough: let some actions lead from a state s
// to one where the property is lost, no process can move, or a variable leaves its range.
//
//   - If one of them is in the set of s, the first such one can be done first, as the set is stubborn, with the others behind it. If it is visible the
//     set has all, so it is the first one anyway. So the atoms say the same on the way, and what is left is shorter.
//   - If none is in the set, they can all be done behind any possible action t of the set, which is invisible. Let t be one that closes no loop:
//     then a sum gets less that is never negative (see loops), so this happens finitely often.
//
// So the reduced program leads there, too. What comes behind does not matter to a safety property, but it does to fairness.
package stubborn
