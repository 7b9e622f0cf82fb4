// Package temporal parses and prints formulas of linear (LTL) and of branching time logic (CTL).
// The packages that decide the formulas define their meaning.
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
// A name is a letter or _ and then letters, digits, _ and dots. In LTL the words next, weaknext,
// always, eventually, until and release mean X, N, G, F, U and R, and V is also release (the
// notation of Gunter and Peled 2002). ~ is !, && and || are & and |, = is ==. A comment extends
// from // to the end of the line.
//
// The parentheses of an atom t:(local) contain a formula of the local state logic of package spec
// about task t. It is stored as it is written; its parentheses must match.
//
// Limits: a formula has at most MaxSource bytes and is nested at most MaxDepth deep. More is an
// error, so callers may recurse over a formula.
package temporal
