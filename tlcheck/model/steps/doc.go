// Package steps finds temporal steps: finite sequences of states of a transition system that satisfy a formula of linear
// temporal logic (E. Gunter and D. Peled, Temporal Debugging for Concurrent Systems, 2002, sections 4 and 5). "Next
// statement" becomes "on to a state where the one has the lock while the other waits".
//
//	search, err := steps.New(system, formula, from, steps.Options{Mode: steps.Shortest, Limit: 100})
//	defer search.Close()
//	step, err := search.Next(ctx) // nil if there is no other one
//
// A step begins in a given state, counts it, and has at most so many states as the limit says. There are modes:
//
//   - Shortest: no other step from there has fewer states. Found breadth first.
//   - Minimal: no proper beginning of the sequence satisfies the formula.
//   - Maximal: no continuation of it does, however long. Where a sequence can be continued for ever, and satisfies the
//     formula again and again, there is no maximal one; that is reported as a Step with a cycle.
//   - Every: any sequence that satisfies the formula, shorter ones first.
//   - LiteralMin and LiteralMax: the searches DFS_min and DFS_max as they are printed, for comparison. What they report
//     satisfies the formula, but need be neither minimal nor maximal: the automaton guesses, and states that were visited
//     before are not visited again, even if the limit ended the search there. (The printed guard looks at the label of the
//     state that is left; here it looks at the one that is entered, and at the first state, too. As printed, much of what is
//     reported does not satisfy the formula.)
//
// For all others a beginning of a sequence has to be known to satisfy the formula or not, so they search the product of
// the system with a deterministic automaton, which is made as far as it is met.
//
// A Search returns one step after the other: backtracking, for the person at the debugger. Unless all paths are wanted, it is
// an ordinary search, which visits each pair of states once and so returns some of the steps, but one if there is any.
package steps
