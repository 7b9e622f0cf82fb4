// Package spec reads the specification language: properties in .tl files and single formulas.
//
//	file, err := spec.Parse("bank.tl", source)
//	for _, property := range file.Properties {
//		fmt.Println(property.Name, spec.Format(property.Formula))
//	}
//
// The language has three layers. Formulas of the temporal logic (type Formula) are about slices,
// that is, global states. Their atoms TIV:(local) apply a formula of the local state logic (type
// Local) to one task, which may contain expressions over program variables (type Expr). Package lsl
// gives the lower two layers their meaning, package tlcheck the upper one.
//
//	file     = { "shared" name {"," name}
//	           | ("must_finish"|"may_wait") function {"," function} | property }
//	property = "property" NAME ["initially"] ":" formula
//	         | "property" NAME ":" "linearizable" MODEL ["from" constant] op {op}
//	op       = "operation" function "(" [expr {"," expr}] ")" ["->" expr ["if" lsl]] ["as" NAME]
//	formula  = impl ["if" c {"and" c}]
//	impl     = or [("->"|"implies") impl]
//	or       = and {"or" and}
//	and      = bin {"and" bin}
//	bin      = un [("until"|"before") un]
//	un       = ("not"|"next"|"all_next"|"sometime"|"always"|"eventually"|"henceforth") un
//	         | ("next"|"all_next") "^" k un | ("forall"|"exists") tiv "(" formula ")"
//	         | "(" formula ")" | tiv ":" "(" lsl ")"
//	c        = tiv ("=="|"!=") (tiv | "caller" "(" tiv ")")
//
// The local logic has the same levels for not, and, or and ->, over predicates (in.f, start.f,
// term.f) and expressions; there "not" has a lower precedence than a comparison. Expressions follow
// Go: comparison, then + and -, then * / and %, then unary minus, then indexing and fields. A
// comment extends from // to the end of the line.
//
// Limits: a specification has at most MaxSource bytes, and no formula, local formula or expression
// is nested deeper than MaxDepth. More is an *Error.
package spec
