package spec

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource limits the bytes of a specification.
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

// token is a word of a specification. A dotted name is one token, since a keyword after a dot is a
// name (in.next is a function called next).
type token struct {
	kind   tokenKind
	text   string   // as written
	parts  []string // of a name, without quotes
	quoted bool     // the last part of a name was quoted
	str    string   // value of a string
	pos    Pos
	off    int // byte offset of text
}

// is reports whether t is this keyword or sign.
func (t *token) is(text string) bool {
	return t.text == text && (t.kind == tokName || t.kind == tokPunct)
}

func (t *token) describe() string {
	if t.kind == tokEOF {
		return "the end of the input"
	}
	return strconv.Quote(source.Short(t.text))
}

// lexer splits a specification into tokens. The first error ends it.
type lexer struct{ *source.Scanner }

func newLexer(file, src string) lexer { return lexer{source.NewScanner(file, src)} }

// signs, longer ones before their prefixes.
var signs = source.Signs("==", "!=", "<=", ">=", "->", "(", ")", "[", "]", ":", ",", ".", "^", "<", ">", "+", "-",
	"*", "/", "%")

// foreign are operators of other languages.
var foreign = []source.ForeignOperator{
	{"&&", `write "and"`}, {"||", `write "or"`}, {"=>", `write "->"`}, {"&", `write "and"`}, {"|", `write "or"`},
	{"=", `write "==" to compare`}, {"!", `write "not"`}, {"~", `write "not"`}, {"`", "strings stand in double quotes"},
	{"'", "strings stand in double quotes; a prime ends the name of a task variable"},
	{";", "properties need no separator"},
	{"#", "comments start with //"},
}

func (l lexer) next() (token, error) {
	t, ok := l.token()
	if !ok {
		return t, l.mistake()
	}
	return t, nil
}

// nextAny reads the next token and skips invalid text. It makes no errors, since each would take
// time linear in the text before it.
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

// token reads a token. It reports false if the text does not begin with one.
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

// mistake returns the error for text that begins no token.
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

// name reads a dotted name. Its last part may be quoted or end with primes.
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

// number reads an integer or a float in Go's syntax. The parser checks its value, since only it
// knows about a minus sign.
func (l lexer) number() token {
	t := token{kind: tokInt, pos: l.Pos(), off: l.Offset()}
	n, float := scanNumber(l.Rest())
	if float {
		t.kind = tokFloat
	}
	t.text = l.Advance(n)
	return t
}

// scanNumber returns the length of the number at the start of s, and whether it is a float. It
// includes letters and digits that follow directly, which the parser rejects.
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

// Token is a word or a sign of a specification as written. A dotted name is one token.
type Token struct {
	Text   string
	Offset int // in bytes, after a byte order mark
	Name   bool
}

// End returns the byte offset after the token.
func (t Token) End() int { return t.Offset + len(t.Text) }

// Tokens splits a specification into tokens, for editors. It skips invalid text.
func Tokens(src string) []Token {
	lex := newLexer("", src)
	var all []Token
	for {
		t := lex.nextAny()
		if t.kind == tokEOF {
			return all
		}
		all = append(all, Token{t.text, t.off, t.kind == tokName})
	}
}
