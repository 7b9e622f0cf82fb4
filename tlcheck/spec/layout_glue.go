package spec

import "slices"

// infixWords are words between or before operands, also in local formulas.
var infixWords = []string{"not", "and", "or", "implies"}

// endsOperand reports whether a minus sign after t subtracts.
func (t *layToken) endsOperand() bool {
	switch t.kind {
	case tokName:
		return !slices.Contains(infixWords, t.text)
	case tokPunct:
		return t.text == ")" || t.text == "]"
	}
	return t.kind != tokEOF
}

// arithmetic reports whether t is an operator with a higher precedence than comparisons. It gets no
// blanks, as in gofmt: (b.last-b.first)%N <= 1.
func (t *layToken) arithmetic() bool {
	return t.kind == tokPunct && !t.unary && slices.Contains([]string{"+", "-", "*", "/", "%"}, t.text)
}

// calls reports whether a parenthesis after t holds the arguments of a call.
func (t *layToken) calls(before *layToken) bool {
	_, builtin := Builtins[t.text]
	return t.kind == tokName && (builtin || t.text == "caller") && !before.is("forall") && !before.is("exists")
}

// glue is the space between two tokens on one line.
type glue struct {
	blank    bool
	mayBreak bool // a line break of the author is preserved
}

// between returns the glue between a token and the next one. earlier is the token before both.
func between(earlier, before, next *layToken) glue {
	switch {
	case next.head:
		return glue{blank: !next.is(":")}
	case before.head:
		return glue{blank: true, mayBreak: true}
	case next.is(".") && before.kind == tokName && !earlier.is("."): // x .y is not a dotted name
		return glue{blank: true}
	case next.is(",") || next.is(":") || next.is("^") || next.is("[") || next.is("."):
		return glue{}
	case before.is(":") || before.is("^") || before.is(".") || before.unary:
		return glue{}
	case next.is("(") && before.calls(earlier):
		return glue{}
	case before.is("(") || before.is("[") || next.is(")") || next.is("]"):
		return glue{mayBreak: true}
	case before.arithmetic() || next.arithmetic():
		return glue{blank: next.unary, mayBreak: true}
	}
	return glue{blank: true, mayBreak: true}
}
