// Package lsl gives local formulas their meaning: true, false or undefined in a local state of a
// net.
//
//	formula := lsl.Compile(net, atom.Local, lsl.L3)
//	for w := net.Walk(task); w.Next(); {
//		fmt.Println(formula.Eval(w.State(), nil))
//	}
//
// The package evaluates expressions itself instead of using a library for Go-like expressions,
// since three rules are peculiar to this logic (Frey 1996, §4). A variable that is not visible
// makes the whole expression undefined, even where an evaluation would have skipped it. A shared
// variable has a set of values, and the expression is true only if it is true for every
// combination. Numbers follow the traced program: 64-bit integers that wrap around, Go's / and %,
// and exact comparison of integers with floats.
package lsl
