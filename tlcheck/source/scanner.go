package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/bom"
)

// MaxLength limits the bytes of a text in any of the languages.
const MaxLength = 1 << 20

// Pos is a position in a text. Lines and columns count from 1, and columns are in characters. The
// zero Pos is no position.
type Pos struct{ Line, Col int }

// Position returns p, for the nodes of syntax trees that embed it.
func (p Pos) Position() Pos { return p }

// A Sign is an operator or punctuation of a language: its written form, and the canonical spelling
// that the parser uses.
type Sign [2]string

// Signs returns signs with a single spelling.
func Signs(written ...string) []Sign {
	signs := make([]Sign, len(written))
	for i, w := range written {
		signs[i] = Sign{w, w}
	}
	return signs
}

// A ForeignOperator is an operator of another language: its written form, and the replacement.
type ForeignOperator [2]string

// A Scanner moves along a text for a lexer. The bytes that it passes are UTF-8; Unknown returns the
// error for other bytes.
type Scanner struct {
	file, text string
	off        int
	pos        Pos // position of off
}

// NewScanner returns a Scanner at the beginning of a text, after a byte order mark. Errors call the
// text file.
func NewScanner(file, text string) *Scanner {
	return &Scanner{file: file, text: bom.Trim(text), pos: Pos{1, 1}}
}

// CheckLength returns an error if the text is longer than MaxLength. what names the kind of text.
func (s *Scanner) CheckLength(what, hint string) error {
	if len(s.text) <= MaxLength {
		return nil
	}
	return &Error{File: s.file, Line: 1, Col: 1, Hint: hint,
		Msg: fmt.Sprintf("the %s has %d bytes, more than the limit of %d", what, len(s.text), MaxLength)}
}

// Rest returns the remaining text.
func (s *Scanner) Rest() string { return s.text[s.off:] }

// Offset returns the number of bytes passed.
func (s *Scanner) Offset() int { return s.off }

// Pos returns the position of the scanner.
func (s *Scanner) Pos() Pos { return s.pos }

// Between returns the text between two offsets.
func (s *Scanner) Between(from, to int) string { return s.text[from:to] }

// Advance passes n bytes and returns them.
func (s *Scanner) Advance(n int) string {
	text := s.text[s.off : s.off+n]
	for _, r := range text {
		if s.pos.Col++; r == '\n' {
			s.pos = Pos{s.pos.Line + 1, 1}
		}
	}
	s.off += n
	return text
}

// While passes the characters for which in holds, and returns them.
func (s *Scanner) While(in func(rune) bool) string {
	n := strings.IndexFunc(s.Rest(), func(r rune) bool { return !in(r) })
	if n < 0 {
		n = len(s.Rest())
	}
	return s.Advance(n)
}

// SkipBlanks passes blanks, ends of lines, and comments that begin with //.
func (s *Scanner) SkipBlanks() {
	for {
		s.While(func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' })
		if !strings.HasPrefix(s.Rest(), "//") {
			return
		}
		s.While(func(r rune) bool { return r != '\n' })
	}
}

// Sign passes the first of the signs with which the remaining text begins, and returns its
// canonical spelling. A sign must come before its prefixes.
func (s *Scanner) Sign(signs []Sign) (spelling string, ok bool) {
	for _, sign := range signs {
		if strings.HasPrefix(s.Rest(), sign[0]) {
			s.Advance(len(sign[0]))
			return sign[1], true
		}
	}
	return "", false
}

// Quoted passes a string in double quotes with Go's escapes, and returns its value. If none begins,
// or it does not end, the scanner does not move.
func (s *Scanner) Quoted() (value string, ok bool) {
	if !strings.HasPrefix(s.Rest(), `"`) {
		return "", false
	}
	quoted, err := strconv.QuotedPrefix(s.Rest())
	if err == nil {
		value, err = strconv.Unquote(quoted)
	}
	if err != nil {
		return "", false
	}
	s.Advance(len(quoted))
	return value, true
}

// UnclosedString returns the error for a quoted string that is not valid in Go.
func (s *Scanner) UnclosedString(at Pos, what string) *Error {
	return s.ErrorAt(at, what+" does not end on its line or has a bad escape",
		`a closing quote, and Go's escapes like \n or \"`, "")
}

// Foreign returns an error if the remaining text begins with an operator of another language.
func (s *Scanner) Foreign(all []ForeignOperator) error {
	for _, f := range all {
		if strings.HasPrefix(s.Rest(), f[0]) {
			return s.ErrorAt(s.pos, strconv.Quote(f[0])+" is not part of the language", "", f[1])
		}
	}
	return nil
}

// Unknown returns the error for the next character, which begins nothing in the language.
func (s *Scanner) Unknown() *Error {
	r, size := utf8.DecodeRuneInString(s.Rest())
	switch {
	case s.off == 0 && bom.IsUTF16(s.text):
		return &Error{File: s.file, Line: 1, Col: 1, Msg: bom.ReasonUTF16, Hint: bom.RemedyUTF16}
	case r == utf8.RuneError && size == 1:
		return s.ErrorAt(s.pos, "this byte is not UTF-8", "", "")
	}
	return s.ErrorAt(s.pos, "character "+strconv.QuoteRune(r)+" is not part of the language", "", "")
}

// ErrorAt returns an error with the line of the text at a position. expected and hint may be empty.
func (s *Scanner) ErrorAt(at Pos, msg, expected, hint string) *Error {
	return ErrorIn(s.file, s.text, at, msg, expected, hint)
}

// ErrorIn returns an error at a position of a text.
func ErrorIn(file, text string, at Pos, msg, expected, hint string) *Error {
	return &Error{File: file, Line: at.Line, Col: at.Col, Msg: msg, Expected: expected, Hint: hint,
		SourceLine: Line(text, at.Line)}
}

// abortion carries an error from Abort to Catch.
type abortion struct{ err error }

// Abort ends the function that Catch runs.
func Abort(err error) { panic(abortion{err}) }

// Catch runs a function, such as a recursive descent parser, and returns the error that Abort ended
// it with.
func Catch(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case abortion:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
