package temporal

import (
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource limits the bytes of a formula.
const MaxSource = source.MaxLength

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokQuoted // a task whose name needs quotes
	tokInt
	tokSign
)

type token struct {
	kind tokenKind
	text string // for a sign, the canonical one
	pos  Pos
}

func (t token) is(sign string) bool { return t.kind == tokSign && t.text == sign }

func (t token) describe() string {
	if t.kind == tokEnd {
		return "the end of the formula"
	}
	return strconv.Quote(source.Short(t.text))
}

// signs maps spellings to the canonical ones. Longer signs come before their prefixes.
var signs = []source.Sign{
	{"<->", "<->"}, {"->", "->"}, {"&&", "&"}, {"||", "|"}, {"==", "=="}, {"!=", "!="}, {"<=", "<="}, {">=", ">="},
	{"!", "!"}, {"~", "!"}, {"&", "&"}, {"|", "|"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"},
	{"=", "=="}, {"<", "<"}, {">", ">"}, {":", ":"}, {"-", "-"},
}

// foreign are operators of other tools. Those with a sign as a prefix precede the signs.
var foreign = []source.ForeignOperator{
	{"=>", `write "->"`}, {"<=>", `write "<->"`}, {"<>", `write "F"`}, {"[]", `write "G"`},
	{`/\`, `write "&"`}, {`\/`, `write "|"`}, {"^", `write "!(f <-> g)" for one of two`},
	{"'", "atoms have letters, digits, _ and dots"}, {`"`, "only the name of a task stands in quotes"},
}

// lexer splits a formula into tokens. The first error ends it.
type lexer struct{ *source.Scanner }

func (l lexer) next() (token, error) {
	l.SkipBlanks()
	t := token{pos: l.Pos()}
	if l.Rest() == "" {
		return t, nil
	}
	switch c := rune(l.Rest()[0]); {
	case isLetter(c):
		t.kind, t.text = tokName, l.While(isNamePart)
		return t, nil
	case isDigit(c):
		t.kind, t.text = tokInt, l.While(isNamePart)
		return t, nil
	}
	if quoted, ok := l.Quoted(); ok {
		t.kind, t.text = tokQuoted, quoted
		return t, nil
	}
	if err := l.Foreign(foreign); err != nil {
		return t, err
	}
	if sign, ok := l.Sign(signs); ok {
		t.kind, t.text = tokSign, sign
		return t, nil
	}
	return t, l.Unknown()
}

// local reads the text between the next parenthesis and its match. Parentheses in a string of the
// local state logic do not count.
func (l lexer) local() (string, error) {
	l.SkipBlanks()
	begin, rest := l.Pos(), l.Rest()
	if !strings.HasPrefix(rest, "(") {
		return "", l.ErrorAt(begin, "no local formula follows the task and its colon", "t:( … )", "")
	}
	open := 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.Advance(i + 1)
				return strings.TrimSpace(rest[1:i]), nil
			}
		case '"':
			quoted, err := strconv.QuotedPrefix(rest[i:])
			if err != nil {
				return "", l.UnclosedString(begin, "a string in this local formula")
			}
			i += len(quoted) - 1
		}
	}
	return "", l.ErrorAt(begin, "this parenthesis is never closed", `")" behind the local formula`, "")
}

func isDigit(c rune) bool    { return '0' <= c && c <= '9' }
func isLetter(c rune) bool   { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isNamePart(c rune) bool { return isLetter(c) || isDigit(c) || c == '.' }
