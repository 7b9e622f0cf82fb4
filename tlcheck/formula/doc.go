// Package formula compiles properties into the form that all checkers evaluate. In a compiled formula every task
// variable has a slot, every local formula has a number, and negations stand at the atoms only (Frey 1996, §5.1 and §5.2).
//
//	compiled := formula.Compile(property, lsl.L3)
//	for _, node := range compiled.Nodes { // each behind those that it is computed from
//		fmt.Println(node.Number, spec.Format(node.Part.Source), node.Value)
//	}
//
// A formula is compiled into two structures. Parts follow the formula as it is written, for explanations. Nodes say
// where a part is true, or where it is false, as sets of slices (the s-nodes of Frey 1996, §5.3): they are
// what is computed. Equal nodes are one node, also those of different formulas of a [Set].
//
// A compiled formula never changes, so several goroutines can use it.
package formula
