// Package stubborn reduces finite-state programs: it omits interleavings that no formula without X
// can distinguish from others (partial-order reduction).
//
//	program, err := stubborn.Reduce(program, formula, kripke.Unfair)
//	result, err := tableau.Check(ctx, kripke.Remember(program), kripke.Unfair, formula)
//
// In each state the reduced program has all moves, or those of a stubborn set of actions (Valmari,
// "Stubborn Sets for Reduced State Space Generation", 1991). Such a set has for each action that is
//
//   - enabled: all actions of its process at the same location, and those of others that it
//     conflicts with, because one writes a variable that the other one reads or writes;
//   - disabled: a set of actions one of which must happen before it is enabled. These are those
//     that lead to its location or, if its process is there, those that write a variable of its
//     condition.
//
// Therefore the other actions can also happen after the first action of the set. That gives ample
// sets as in Clarke, Grumberg and Peled, "Model Checking", 1999, chapter 10, whose conditions are
// met as follows:
//
//   - C0, C1: the set has an enabled action, and it is stubborn.
//   - C2: unless all moves are there, none changes an atom of the formula.
//   - C3: unless all moves are there, none closes a loop in the graph of its process. The nodes of
//     this graph are the locations together with the values of variables that no other process
//     writes. Each loop of states goes through loops of some of these graphs, so it has a state
//     with all moves (Kurshan, Levin, Minea, Peled and Yenigün, "Static Partial Order Reduction",
//     1998, for flow graphs). Therefore the moves of a state do not depend on the search: they are
//     the same breadth first, depth first, and when they are computed again.
//
// For each infinite path the reduced program has one with the same truth of the atoms, up to
// repetitions, on which all actions of the first one occur. So paths on which every process moves
// infinitely often (kripke.Process) have such a path. Weak and strong fairness depend on the states
// in which a process is enabled, and the two paths may go through different states: they are not
// for reduced programs. All states without moves are found, and all moves that leave the range of a
// variable, though perhaps from other states.
//
// A safety property over all paths needs less than C3: unless all moves are there, some enabled
// action closes no loop. Then no action is ignored, which is condition S of Valmari and Hansen,
// "Stubborn Set Intuition Explained", 2017. To see that it is enough, let some actions lead from a
// state s to one where the property is lost, no process can move, or a variable leaves its range.
//
//   - If one of them is in the set of s, the first such one can be done first, as the set is
//     stubborn, with the others behind it. If it is visible, the set has all moves, so it is the
//     first one anyway. So the atoms have the same truth on the way, and fewer actions remain.
//   - If none is in the set, they can all be done after any enabled action t of the set, which is
//     invisible. Let t be one that closes no loop: it decreases a sum that is never negative (see
//     loops), so this happens finitely often.
//
// So the reduced program leads there, too. A safety property does not depend on the continuation,
// but fairness does.
package stubborn
