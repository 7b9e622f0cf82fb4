package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource is the length in bytes of the longest formula that is read.
const MaxSource = 1 << 20

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

// lexer cuts a formula into tokens. The first mistake ends it.
type lexer struct {
	name string // of the source, for errors
	src  string
	off  int
	pos  Pos // of off
}

// signs are tried in this order, so longer ones come before their prefixes.
var signs = []struct{ written, sign string }{
	{"<->", "<->"}, {"->", "->"}, {"&&", "&"}, {"||", "|"}, {"==", "=="}, {"!=", "!="}, {"<=", "<="}, {">=", ">="},
	{"!", "!"}, {"~", "!"}, {"&", "&"}, {"|", "|"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"},
	{"=", "=="}, {"<", "<"}, {">", ">"}, {":", ":"}, {"-", "-"},
}

// foreign are operators of other tools, with what to write instead. Those that begin as a sign
// does come before the signs.
var foreign = []struct{ text, instead string }{
	{"=>", `write "->"`}, {"<=>", `write "<->"`}, {"<>", `write "F"`}, {"[]", `write "G"`},
	{`/\`, `write "&"`}, {`\/`, `write "|"`}, {"^", `write "!(f <-> g)" for one of two`},
	{"'", "atoms have letters, digits, _ and dots"}, {`"`, "only the name of a task stands in quotes"},
}

// next returns the token at off and moves behind it.
func (l *lexer) next() (token, error) {
	l.skipBlanks()
	t := token{pos: l.pos}
	rest := l.src[l.off:]
	switch {
	case rest == "":
		return t, nil
	case isLetter(rest[0]):
		t.kind, t.text = tokName, prefix(rest, isNamePart)
	case rest[0] == '"':
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			t.kind = tokQuoted
			t.text, _ = strconv.Unquote(quoted)
			l.advance(len(quoted))
			return t, nil
		}
		return l.sign(t, rest)
	case isDigit(rest[0]):
		t.kind, t.text = tokInt, prefix(rest, isNamePart)
	default:
		return l.sign(t, rest)
	}
	l.advance(len(t.text))
	return t, nil
}

func (l *lexer) sign(t token, rest string) (token, error) {
	for _, f := range foreign {
		if strings.HasPrefix(rest, f.text) {
			return t, l.errorAt(t.pos, strconv.Quote(f.text)+" is not part of the notation", "", f.instead)
		}
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s.written) {
			t.kind, t.text = tokSign, s.sign
			l.advance(len(s.written))
			return t, nil
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		return t, l.errorAt(t.pos, "this byte is not UTF-8", "", "formulas are ASCII")
	}
	return t, l.errorAt(t.pos, "character "+strconv.QuoteRune(r)+" is not part of the notation", "", "")
}

func (l *lexer) skipBlanks() {
	for l.off < len(l.src) {
		rest := l.src[l.off:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			l.advance(1)
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			l.advance(len(line))
		default:
			return
		}
	}
}

// advance moves over n bytes.
func (l *lexer) advance(n int) {
	for _, r := range l.src[l.off : l.off+n] {
		if r == '\n' {
			l.pos.Line, l.pos.Col = l.pos.Line+1, 1
		} else {
			l.pos.Col++
		}
	}
	l.off += n
}

// local returns the text between the parenthesis at off and the one that matches it, and moves
// behind that. Parentheses in a string of the local state logic do not count.
func (l *lexer) local() (string, error) {
	l.skipBlanks()
	begin := l.pos
	if !strings.HasPrefix(l.src[l.off:], "(") {
		return "", l.errorAt(begin, "no local formula follows the task and its colon", "t:( … )", "")
	}
	rest := l.src[l.off:]
	open := 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.advance(i + 1)
				return strings.TrimSpace(rest[1:i]), nil
			}
		case '"':
			quoted, err := strconv.QuotedPrefix(rest[i:])
			if err != nil {
				return "", l.errorAt(begin, "a string in this local formula does not end on its line or has a bad escape",
					`a closing quote, and Go's escapes like \n or \"`, "")
			}
			i += len(quoted) - 1
		}
	}
	return "", l.errorAt(begin, "this parenthesis is never closed", `")" behind the local formula`, "")
}

func (l *lexer) errorAt(pos Pos, msg, expected, hint string) error {
	return &source.Error{File: l.name, Line: pos.Line, Col: pos.Col, Msg: msg, Expected: expected, Hint: hint,
		SourceLine: source.Line(l.src, pos.Line)}
}

func tooLong(name string, n int) error {
	return &source.Error{File: name, Line: 1, Col: 1,
		Msg:  fmt.Sprintf("the formula has %d bytes, more than the limit of %d", n, MaxSource),
		Hint: "split it into several formulas"}
}

// prefix returns the longest beginning of s of which all bytes are in.
func prefix(s string, in func(byte) bool) string {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return s[:n]
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLetter(c byte) bool   { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isNamePart(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' }
