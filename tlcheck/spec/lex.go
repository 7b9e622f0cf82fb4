package spec

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource is the length in bytes of the longest specification that is read.
const MaxSource = source.MaxLength

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
type lexer struct{ *source.Scanner }

func newLexer(file, src string) lexer { return lexer{source.NewScanner(file, src)} }

// signs, longer ones before their prefixes.
var signs = source.Signs("==", "!=", "<=", ">=", "->", "(", ")", "[", "]", ":", ",", ".", "^", "<", ">", "+", "-", "*", "/", "%")

// foreign are operators of other languages.
var foreign = []source.ForeignOperator{
	{"&&", `write "and"`}, {"||", `write "or"`}, {"=>", `write "->"`}, {"&", `write "and"`}, {"|", `write "or"`},
	{"=", `write "==" to compare`}, {"!", `write "not"`}, {"~", `write "not"`}, {"`", "strings stand in double quotes"},
	{"'", "strings stand in double quotes; a prime ends the name of a task variable"}, {";", "properties need no separator"},
	{"#", "comments start with //"},
}

// next reads a token. An error says why there is none.
func (l lexer) next() (token, error) {
	t, ok := l.token()
	if !ok {
		return t, l.mistake()
	}
	return t, nil
}

// nextAny reads the next token, and passes over what is none. It makes no errors, each of which would cost as much as the text before it.
func (l lexer) nextAny() token {
	for {
		t, ok := l.token()
		if ok {
			return t
		}
		_, size := utf8.DecodeRuneInString(l.Rest())
		l.Advance(size)
	}
}

// token reads a token. If there is none, the text goes on with what is wrong.
func (l lexer) token() (t token, ok bool) {
	l.SkipBlanks()
	t = token{kind: tokEOF, pos: l.Pos(), off: l.Offset()}
	if l.Rest() == "" {
		return t, true
	}
	switch r, _ := utf8.DecodeRuneInString(l.Rest()); {
	case isNameStart(r):
		return l.name()
	case '0' <= r && r <= '9':
		return l.number(), true
	case r == '"':
		t.str, ok = l.Quoted()
		t.kind, t.text = tokString, l.Between(t.off, l.Offset())
		return t, ok
	}
	t.kind = tokPunct
	t.text, ok = l.Sign(signs)
	return t, ok
}

// mistake says why no token begins here.
func (l lexer) mistake() error {
	if strings.HasPrefix(l.Rest(), `"`) {
		return l.UnclosedString(l.Pos(), "this string")
	}
	if err := l.Foreign(foreign); err != nil {
		return err
	}
	return l.Unknown()
}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func isNamePart(r rune) bool  { return isNameStart(r) || unicode.IsDigit(r) }

// name reads a dotted name; its last part may be quoted or carry primes.
func (l lexer) name() (t token, ok bool) {
	t = token{kind: tokName, pos: l.Pos(), off: l.Offset()}
	for {
		t.parts = append(t.parts, l.While(isNamePart))
		if !l.dotBeforeName() {
			break
		}
		l.Advance(1)
		if l.Rest()[0] == '"' {
			s, ok := l.Quoted()
			if !ok {
				return t, false
			}
			t.parts, t.quoted = append(t.parts, s), true
			break
		}
	}
	if !t.quoted {
		t.parts[len(t.parts)-1] += l.While(func(r rune) bool { return r == '\'' })
	}
	t.text = l.Between(t.off, l.Offset())
	return t, true
}

// dotBeforeName reports whether a dot follows that continues a name.
func (l lexer) dotBeforeName() bool {
	behind, ok := strings.CutPrefix(l.Rest(), ".")
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(behind)
	return r == '"' || isNameStart(r)
}

// number reads an integer or a float as Go writes them. Its value is judged by the
// parser, which knows about a minus sign before it.
func (l lexer) number() token {
	t := token{kind: tokInt, pos: l.Pos(), off: l.Offset()}
	n, float := scanNumber(l.Rest())
	if float {
		t.kind = tokFloat
	}
	t.text = l.Advance(n)
	return t
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
