// Package temporal parses and prints formulas of linear (LTL) and of branching time
// logic (CTL). The packages that decide the formulas define their meaning.
//
//	formula, err := temporal.Parse("formula", "G (request -> F granted)", temporal.InfiniteLTL)
//	fmt.Println(formula, len(formula.Atoms()))
//
// The grammar of formulas:
//
//	formula = impl {("<->") impl}
//	impl    = or ["->" impl]
//	or      = and {("|"|"or") and}
//	and     = bin {("&"|"and") bin}
//	bin     = un [("U"|"R"|"W"|"M") un]                   LTL only; mixed ones need parentheses
//	un      = ("!"|"not") un | letter un | path | "true" | "false" | atom | "(" formula ")"
//	letter  = "X" | "N" | "F" | "G"                       LTL; N over finite words only
//	        | "EX" | "AX" | "EX_"i | "AX_"i | "EF" | "AF" | "EG" | "AG" | "EGF" | "AFG"   CTL
//	path    = ("E"|"A") "[" formula ("U"|"R"|"W") formula "]"                             CTL
//	atom    = name | operand ("=="|"!="|"<"|"<="|">"|">=") operand | task ":" "(" local ")"
//	operand = name | ["-"] digits
//	task    = name | '"' … '"'                            with Go's escapes
//
// A name is a letter or _ and then letters, digits, _ and dots. In LTL the words next,
// weaknext, always, eventually, until and release say the same as X, N, G, F, U and R, and V
// is release as well (Gunter and Peled write it so). ~ is !, && and || are & and |, = is ==.
// A comment runs from // to the end of the line.
//
// What stands in the parentheses of an atom t:(local) is a formula of the local state logic
// of package spec about task t. It is kept as it is written: parentheses in it must match.
//
// Limits: a formula has at most MaxSource bytes and is nested at most MaxDepth deep. What
// exceeds them is an error like any other, so whoever walks a formula may recurse.
package temporal
