package kripke

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// scanner reads the values of a JSON text that is known to be valid. Unlike encoding/json it keeps
// positions, and reads numbers as integers. It panics with errors.
type scanner struct {
	file string
	text []byte
	off  int

	known map[string]string // interned strings
}

// valid returns an error for a text that is not JSON.
func valid(file string, text []byte) error {
	err := json.Unmarshal(text, new(json.RawMessage))
	if err == nil {
		return nil
	}
	at := 0
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(int(syntax.Offset)-1, 0)
	}
	s := &scanner{file: file, text: text}
	return s.errorAt(at, "this is not JSON: "+err.Error(), "")
}

func (s *scanner) errorAt(off int, msg, hint string) *source.Error {
	before := s.text[:min(off, len(s.text))]
	begin := bytes.LastIndexByte(before, '\n') + 1
	line, _, _ := bytes.Cut(s.text[begin:], []byte("\n"))
	return &source.Error{File: s.file, Line: bytes.Count(before, []byte("\n")) + 1,
		Col: utf8.RuneCount(before[begin:]) + 1,
		Msg: msg, Hint: hint, SourceLine: string(line)}
}

func (s *scanner) fail(off int, msg, hint string) { source.Abort(s.errorAt(off, msg, hint)) }

// next returns the first byte of the next value, or the bracket that closes a list; 0 at the end.
func (s *scanner) next() byte {
	for ; s.off < len(s.text); s.off++ {
		switch c := s.text[s.off]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			// separators, which a valid text has only where they belong
		default:
			return c
		}
	}
	return 0
}

// list reads "[ … ]". It calls each for every value.
func (s *scanner) list(at location, each func(i int)) {
	if s.next() != '[' {
		s.fail(s.off, at.String()+" is not a list", "write it in [ ]")
	}
	s.off++
	for i := 0; s.next() != ']'; i++ {
		each(i)
	}
	s.off++
}

// object reads "{ … }". It calls each behind every key, with the position of the key.
func (s *scanner) object(what string, each func(key string, at int)) {
	if s.next() != '{' {
		s.fail(s.off, what+" is not an object", "write it in { }")
	}
	s.off++
	seen := map[string]bool{}
	for s.next() != '}' {
		at := s.off
		key := s.string(what)
		if seen[key] {
			s.fail(at, fmt.Sprintf("%s has %q twice", what, source.Short(key)), "leave one of them out")
		}
		seen[key] = true
		s.next()
		each(key, at)
	}
	s.off++
}

func (s *scanner) string(what string) string {
	if s.next() != '"' {
		s.fail(s.off, what+" is not a string", "write it in quotes")
	}
	start := s.off
	escaped := false
	for s.off++; s.text[s.off] != '"'; s.off++ {
		if s.text[s.off] == '\\' {
			escaped = true
			s.off++
		}
	}
	s.off++
	if !escaped {
		return s.intern(s.text[start+1 : s.off-1])
	}
	var text string
	if err := json.Unmarshal(s.text[start:s.off], &text); err != nil {
		s.fail(start, err.Error(), "")
	}
	return text
}

// intern interns a string, since propositions are repeated often.
func (s *scanner) intern(text []byte) string {
	if known, ok := s.known[string(text)]; ok {
		return known
	}
	str := string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	if s.known == nil {
		s.known = map[string]string{}
	}
	s.known[string(text)] = str
	return str
}

// number reads a number from low to high, inclusive.
func (s *scanner) number(low, high int, at location) int {
	first := s.next()
	start := s.off
	n := 0
	for ; s.off < len(s.text) && isDigit(s.text[s.off]) && n <= high; s.off++ {
		n = 10*n + int(s.text[s.off]-'0')
	}
	whole := s.off == len(s.text) || !isFraction(s.text[s.off])
	if !isDigit(first) || !whole || n < low || n > high {
		s.off = start
		s.skip()
		s.fail(start, fmt.Sprintf("%s is %s", at, source.Short(string(s.text[start:s.off]))),
			fmt.Sprintf("it must be a whole number from %d to %d", low, high))
	}
	return n
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isFraction(c byte) bool { return c == '.' || c == 'e' || c == 'E' }

// location is a place in a structure, written key[row][column].
type location struct {
	key         string
	row, column int // absent if negative
}

func (w location) String() string {
	text := w.key
	for _, i := range []int{w.row, w.column} {
		if i >= 0 {
			text += fmt.Sprintf("[%d]", i)
		}
	}
	return text
}

// skip skips the next value.
func (s *scanner) skip() {
	depth := 0
	for {
		switch s.next() {
		case '"':
			s.string("")
		case '[', '{':
			depth++
			s.off++
		case ']', '}':
			depth--
			s.off++
		default: // a number or a word
			for s.off < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:]}"), s.text[s.off]) < 0 {
				s.off++
			}
		}
		if depth == 0 {
			return
		}
	}
}
