package spec

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource is the length in bytes of the longest specification that is read.
const MaxSource = 1 << 20

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokName
	tokInt
	tokFloat
	tokString
	tokPunct
)

// token is one word of a specification. A dotted name is one token, because what
// follows a dot is never a keyword (in.next is a function called next).
type token struct {
	kind   tokenKind
	text   string   // as written
	parts  []string // of a name, without quotes
	quoted bool     // the last part of a name stood in quotes
	str    string   // value of a string
	pos    Pos
	off    int // byte offset of text
}

// is reports whether t is this keyword or punctuation.
func (t *token) is(text string) bool {
	return t.text == text && (t.kind == tokName || t.kind == tokPunct)
}

// describe names t in an error.
func (t *token) describe() string {
	if t.kind == tokEOF {
		return "the end of the input"
	}
	return strconv.Quote(source.Short(t.text))
}

// lexer cuts a specification into tokens. The first mistake ends it.
type lexer struct {
	file string
	src  string
	off  int
	line int // of off
	col  int // of off
}

func newLexer(file, src string) *lexer {
	return &lexer{file: file, src: src, line: 1, col: 1}
}

func (l *lexer) errorAt(p Pos, msg, expected, hint string) *Error {
	return &Error{File: l.file, Line: p.Line, Col: p.Col, Msg: msg, Expected: expected, Hint: hint,
		SourceLine: source.Line(l.src, p.Line)}
}

func (l *lexer) pos() Pos { return Pos{l.line, l.col} }

// advance moves over n bytes.
func (l *lexer) advance(n int) {
	for _, r := range l.src[l.off : l.off+n] {
		if r == '\n' {
			l.line, l.col = l.line+1, 1
		} else {
			l.col++
		}
	}
	l.off += n
}

func (l *lexer) skipBlanks() {
	for l.off < len(l.src) {
		rest := l.src[l.off:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			l.advance(1)
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.advance(n)
		default:
			return
		}
	}
}

// puncts are tried in this order, so longer ones come before their prefixes.
var puncts = []string{"==", "!=", "<=", ">=", "->", "(", ")", "[", "]", ":", ",", ".", "^", "<", ">", "+", "-", "*", "/", "%"}

// foreign are operators of other languages, with what to write instead.
var foreign = []struct{ text, instead string }{
	{"&&", `write "and"`}, {"||", `write "or"`}, {"=>", `write "->"`}, {"&", `write "and"`}, {"|", `write "or"`},
	{"=", `write "==" to compare`}, {"!", `write "not"`}, {"~", `write "not"`}, {"`", "strings stand in double quotes"},
	{"'", "strings stand in double quotes; a prime ends the name of a TIV"}, {";", "properties need no separator"},
	{"#", "comments start with //"},
}

func (l *lexer) next() (token, error) {
	l.skipBlanks()
	t := token{kind: tokEOF, pos: l.pos(), off: l.off}
	if l.off == len(l.src) {
		return t, nil
	}
	rest := l.src[l.off:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == utf8.RuneError && size == 1:
		return t, l.errorAt(t.pos, "this byte is not UTF-8", "", "")
	case isNameStart(r):
		return l.name()
	case '0' <= r && r <= '9':
		return l.number()
	case r == '"':
		s, err := l.quoted()
		t.kind, t.str, t.text = tokString, s, l.src[t.off:l.off]
		return t, err
	}
	for _, p := range puncts {
		if strings.HasPrefix(rest, p) {
			l.advance(len(p))
			t.kind, t.text = tokPunct, p
			return t, nil
		}
	}
	for _, f := range foreign {
		if strings.HasPrefix(rest, f.text) {
			return t, l.errorAt(t.pos, strconv.Quote(f.text)+" is not part of the language", "", f.instead)
		}
	}
	return t, l.errorAt(t.pos, "character "+strconv.QuoteRune(r)+" is not part of the language", "", "")
}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func isNamePart(r rune) bool  { return isNameStart(r) || unicode.IsDigit(r) }

// name reads a dotted name; its last part may be quoted or carry primes.
func (l *lexer) name() (token, error) {
	t := token{kind: tokName, pos: l.pos(), off: l.off}
	for {
		n := strings.IndexFunc(l.src[l.off:], func(r rune) bool { return !isNamePart(r) })
		if n < 0 {
			n = len(l.src) - l.off
		}
		t.parts = append(t.parts, l.src[l.off:l.off+n])
		l.advance(n)
		if !l.dotBeforeName() {
			break
		}
		l.advance(1)
		if l.src[l.off] == '"' {
			s, err := l.quoted()
			if err != nil {
				return t, err
			}
			t.parts, t.quoted = append(t.parts, s), true
			break
		}
	}
	primes := len(l.src[l.off:]) - len(strings.TrimLeft(l.src[l.off:], "'"))
	if primes > 0 && !t.quoted {
		t.parts[len(t.parts)-1] += l.src[l.off : l.off+primes]
		l.advance(primes)
	}
	t.text = l.src[t.off:l.off]
	return t, nil
}

// dotBeforeName reports whether a dot follows that continues a name.
func (l *lexer) dotBeforeName() bool {
	rest := l.src[l.off:]
	if len(rest) < 2 || rest[0] != '.' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	return r == '"' || isNameStart(r)
}

// quoted reads a string in double quotes with Go's escapes.
func (l *lexer) quoted() (string, error) {
	q, err := strconv.QuotedPrefix(l.src[l.off:])
	if err != nil {
		return "", l.errorAt(l.pos(), "this string does not end on its line or has a bad escape", `a closing quote, and Go's escapes like \n or \"`, "")
	}
	s, err := strconv.Unquote(q)
	if err != nil {
		return "", l.errorAt(l.pos(), "bad string", "a string as in Go", "")
	}
	l.advance(len(q))
	return s, nil
}

// number reads an integer or a float as Go writes them. Its value is judged by the
// parser, which knows about a minus sign before it.
func (l *lexer) number() (token, error) {
	t := token{kind: tokInt, pos: l.pos(), off: l.off}
	n, float := scanNumber(l.src[l.off:])
	if float {
		t.kind = tokFloat
	}
	t.text = l.src[l.off : l.off+n]
	l.advance(n)
	return t, nil
}

// scanNumber returns the length of the number that s starts with and whether it is
// written as a float. What follows directly is taken in, for the parser to refuse.
func scanNumber(s string) (n int, float bool) {
	hex := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")
	for n < len(s) {
		c := s[n]
		exponent := !hex && (c == 'e' || c == 'E')
		afterExponent := n > 0 && !hex && (s[n-1] == 'e' || s[n-1] == 'E')
		switch {
		case c < utf8.RuneSelf && isNamePart(rune(c)):
			float = float || exponent
		case c == '.' && !float && n+1 < len(s) && '0' <= s[n+1] && s[n+1] <= '9':
			float = true
		case (c == '+' || c == '-') && afterExponent:
		default:
			return n, float
		}
		n++
	}
	return n, float
}
