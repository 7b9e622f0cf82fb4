// Package steps finds temporal steps: finite sequences of states of a transition system that
// satisfy a formula of linear temporal logic (Gunter and Peled, "Temporal Debugging for Concurrent
// Systems", 2002, §4 and §5). "Next statement" becomes "on to a state where one process has
// the lock while the other waits".
//
//	options := steps.Options{Mode: steps.Shortest, Limit: 100}
//	search, err := steps.New(system, formula, from, options)
//	defer search.Close()
//	step, err := search.Next(ctx) // nil if there is no other one
//
// A step begins in a given state, which counts as its first one, and has at most as many states as
// the limit. There are these modes:
//
//   - Shortest: no other step from there has fewer states. The search is breadth first.
//   - Minimal: no proper prefix of the sequence satisfies the formula.
//   - Maximal: no continuation satisfies it, however long. If a sequence can be continued for ever,
//     and satisfies the formula again and again, there is no maximal one; that is reported as a
//     Step with a cycle.
//   - Every: any sequence that satisfies the formula, shorter ones first.
//   - LiteralMin and LiteralMax: the searches DFS_min and DFS_max as they are printed, for
//     comparison. Their steps satisfy the formula, but need be neither minimal nor maximal: the
//     automaton guesses, and the search does not visit a state again, even if the limit ended the
//     search there. (The printed guard reads the label of the state that is left. Here it reads
//     that of the state that is entered, and of the first state. As printed, many steps would not
//     satisfy the formula.)
//
// The other modes must decide for each prefix whether it satisfies the formula. Therefore they
// search the product of the system with a deterministic automaton, which is made on demand.
//
// A Search returns one step after the other: backtracking, for the person at the debugger. Unless
// AllPaths is set, it visits each pair of states once, and so returns some of the steps, at least
// one if there is any.
package steps
