// Package lsl gives local formulas their meaning: true, false or undefined in a local
// state of a net.
//
//	formula := lsl.Compile(net, atom.Local, lsl.L3)
//	for w := net.Walk(task); w.Next(); {
//		fmt.Println(formula.Eval(w.State(), nil))
//	}
//
// Expressions are evaluated here and not with a library for Go-like expressions,
// because three of the rules are of this logic alone. A variable that is not visible
// makes the whole expression undefined, whatever an evaluation would have skipped. A
// shared variable has a set of values, and the expression is true only if it is true
// for every combination. And numbers follow the traced program, not the evaluator:
// 64-bit integers that wrap around, Go's / and %, and exact comparison of integers
// with floats.
package lsl
