// Package tlcheck decides whether a property holds for a run: whether its formula is false in no
// pair of a slice and a TIVA (an assignment of tasks to the formula's TIVs).
//
//	property, err := spec.ParseFormula("not (a:(in.write) and b:(in.write)) if a != b")
//	result, err := tlcheck.Check(ctx, net, property, tlcheck.Options{})
//	fmt.Println(result.Verdict)
//	err = report.WriteText(os.Stdout, result, report.Style{})
//
// The method is that of Frey 1996, §5, and Frey and Schlingloff 1998, §2.3: negate the formula,
// push the negation down to the atoms (package formula), and compute bottom-up, for every node of
// the compiled formula, the slices in which it is true. Unlike there, slices are not enumerated. A
// node keeps a slices.Set per TIVA, a union of intervals of the slice lattice, and the operators of
// the logic are operations on such sets. A slice in the root's set is a violation; the one with the
// fewest actions becomes the witness.
//
// A check returns a Result. Package onthefly returns the same type for a run that is not over, and
// BuiltinResults for the findings of package builtin. Package report prints them.
//
// A check is exact or says that it is not: when a budget runs out, the verdict is Unknown. Package
// explicit evaluates the same logic by enumeration, straight from the definition; it serves Table
// and the tests.
package tlcheck
