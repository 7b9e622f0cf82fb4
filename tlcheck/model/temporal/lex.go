package temporal

import (
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource is the length in bytes of the longest formula that is read.
const MaxSource = source.MaxLength

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokQuoted // a task whose name is no name here
	tokInt
	tokSign
)

type token struct {
	kind tokenKind
	text string // of a sign the one that is printed, without quotes
	pos  Pos
}

func (t token) is(sign string) bool { return t.kind == tokSign && t.text == sign }

// describe names t in an error.
func (t token) describe() string {
	if t.kind == tokEnd {
		return "the end of the formula"
	}
	return strconv.Quote(source.Short(t.text))
}

// signs with the ones that are printed. Longer ones come before their prefixes.
var signs = []source.Sign{
	{"<->", "<->"}, {"->", "->"}, {"&&", "&"}, {"||", "|"}, {"==", "=="}, {"!=", "!="}, {"<=", "<="}, {">=", ">="},
	{"!", "!"}, {"~", "!"}, {"&", "&"}, {"|", "|"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"},
	{"=", "=="}, {"<", "<"}, {">", ">"}, {":", ":"}, {"-", "-"},
}

// foreign are operators of other tools. Those that begin as a sign does come before the signs.
var foreign = []source.ForeignOperator{
	{"=>", `write "->"`}, {"<=>", `write "<->"`}, {"<>", `write "F"`}, {"[]", `write "G"`},
	{`/\`, `write "&"`}, {`\/`, `write "|"`}, {"^", `write "!(f <-> g)" for one of two`},
	{"'", "atoms have letters, digits, _ and dots"}, {`"`, "only the name of a task stands in quotes"},
}

// lexer cuts a formula into tokens. The first mistake ends it.
type lexer struct{ *source.Scanner }

// next moves over a token.
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

// local moves over the text between the parenthesis that comes next and the one that matches it. Parentheses in a
// string of the local state logic do not count.
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
