// Package formula compiles properties into the form that all checkers evaluate. In a compiled
// formula every task variable has a slot, every local formula has a number, and only atoms are
// negated (Frey 1996, §5.1 and §5.2).
//
//	compiled := formula.Compile(property, lsl.L3)
//	for _, node := range compiled.Nodes { // operands first
//		fmt.Println(node.Number, spec.Format(node.Part.Source), node.Value)
//	}
//
// A formula is compiled into two structures. Parts follow the formula as it is written, for
// explanations. A node is the set of slices in which a part is true, or false (the s-nodes of Frey
// 1996, §5.3); nodes are evaluated. Equal nodes are one node, even in different formulas of a
// [Set].
//
// A compiled formula never changes, so several goroutines can use it.
package formula
