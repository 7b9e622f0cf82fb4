package gcl

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// MaxSource is the length in bytes of the longest program that is read.
const MaxSource = 1 << 20

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokName
	tokKeyword
	tokNumber
	tokPunct
)

// token is a word of a program.
type token struct {
	kind tokenKind
	text string // keywords and punctuation in one spelling
	pos  Pos
}

// describe names t in an error.
func (t *token) describe() string {
	if t.kind == tokEOF {
		return "the end of the program"
	}
	return strconv.Quote(source.Short(t.text))
}

var keywords = []string{
	"param", "declare", "initially", "output", "process", "for", "in", "begin", "end", "while", "do", "if", "then", "else",
	"wait", "goto", "skip", "true", "false", "and", "or", "not",
}

// puncts are tried in this order, so longer ones come before their prefixes, each with the spelling that the parser knows.
var puncts = []struct{ text, as string }{
	{":=:", ":=:"}, {":=", ":="}, {"..", ".."}, {"==", "="}, {"/=", "/="}, {"!=", "/="}, {"≠", "/="}, {"<=", "<="}, {"≤", "<="},
	{">=", ">="}, {"≥", ">="}, {"||", "||"}, {"|", "|"}, {"∨", "or"}, {"&&", "and"}, {"&", "and"}, {"^", "and"}, {"∧", "and"},
	{"!", "not"}, {"~", "not"}, {"¬", "not"}, {"=", "="}, {"<", "<"}, {">", ">"}, {"+", "+"}, {"-", "-"}, {"*", "*"}, {"/", "/"},
	{"%", "%"}, {"(", "("}, {")", ")"}, {"[", "["}, {"]", "]"}, {"{", "{"}, {"}", "}"}, {":", ":"}, {";", ";"}, {",", ","}, {".", "."},
}

// lexer cuts a program into tokens.
type lexer struct {
	file, src string
	off       int
	pos       Pos // of off
}

// errorIn returns a mistake at a place in a text.
func errorIn(file, text string, at Pos, msg, expected, hint string) *source.Error {
	return &source.Error{File: file, Line: at.Line, Col: at.Col, Msg: msg, Expected: expected, Hint: hint,
		SourceLine: source.Line(text, at.Line)}
}

// lex returns the tokens of a program, the last one its end.
func lex(file, src string) ([]token, error) {
	if len(src) > MaxSource {
		return nil, errorIn(file, "", Pos{1, 1}, fmt.Sprintf("the program has %d bytes, more than the limit of %d", len(src), MaxSource), "", "")
	}
	l := &lexer{file: file, src: src, pos: Pos{1, 1}}
	var all []token
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		if all = append(all, t); t.kind == tokEOF {
			return all, nil
		}
	}
}

// advance moves over n bytes and returns them.
func (l *lexer) advance(n int) string {
	text := l.src[l.off : l.off+n]
	for _, r := range text {
		if l.pos.Col++; r == '\n' {
			l.pos = Pos{l.pos.Line + 1, 1}
		}
	}
	l.off += n
	return text
}

// span returns how many bytes at the front belong to the set.
func (l *lexer) span(in func(byte) bool) int {
	n := l.off
	for n < len(l.src) && in(l.src[n]) {
		n++
	}
	return n - l.off
}

func (l *lexer) skipBlanks() {
	for {
		l.advance(l.span(func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }))
		if !strings.HasPrefix(l.src[l.off:], "//") {
			return
		}
		l.advance(l.span(func(c byte) bool { return c != '\n' }))
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isNameStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }

func (l *lexer) next() (token, error) {
	l.skipBlanks()
	t := token{pos: l.pos}
	if l.off == len(l.src) {
		return t, nil
	}
	switch c := l.src[l.off]; {
	case isNameStart(c):
		t.kind, t.text = tokName, l.advance(l.span(isNamePart))
		if k := keyword(t.text); k != "" {
			t.kind, t.text = tokKeyword, k
		}
		return t, nil
	case isDigit(c):
		t.kind, t.text = tokNumber, l.advance(l.span(isNamePart))
		return t, nil
	}
	for _, p := range puncts {
		if strings.HasPrefix(l.src[l.off:], p.text) {
			l.advance(len(p.text))
			t.kind, t.text = tokPunct, p.as
			return t, nil
		}
	}
	r, size := utf8.DecodeRuneInString(l.src[l.off:])
	msg := "character " + strconv.QuoteRune(r) + " is not part of the language"
	if r == utf8.RuneError && size == 1 {
		msg = "this byte is not UTF-8"
	}
	hint := ""
	if r == '#' {
		hint = "comments start with //"
	}
	return t, errorIn(l.file, l.src, t.pos, msg, "", hint)
}

// keyword returns the keyword that is written small or in capitals here, "" for another name.
func keyword(text string) string {
	for _, k := range keywords {
		if text == k || text == strings.ToUpper(k) {
			return k
		}
	}
	return ""
}
