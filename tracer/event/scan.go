package event

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// This file and scanvalue.go read JSON from one line of a trace. encoding/json would lose the order
// of keys, duplicate keys, the difference between 1 and 1.0, and bytes that are not UTF-8.

// A lineError describes a fault of a line, and the byte if that is known.
type lineError struct {
	column int // from 1; 0 means the line as a whole
	reason string
	remedy string
	short  bool // the line ended too early, so it may have been cut off
}

func (e *lineError) Error() string { return e.reason }

// ColumnOf returns the column, in bytes from 1, at which [Value.UnmarshalJSON] has found an error;
// 0 if that is about the whole text.
func ColumnOf(err error) int {
	if e, ok := err.(*lineError); ok {
		return e.column
	}
	return 0
}

// scanner reads JSON from a line. The []byte results are valid until it reads the next string.
type scanner struct {
	line  []byte
	pos   int
	depth int // maximal nesting of lists and objects in a value
	pool  *pool

	// keepNumbers turns a number that no Value can hold into a string of its digits instead of an
	// error: for keys that are kept and ignored.
	keepNumbers bool

	// of the format; if 0, it is unknown: then the first key of a line shows whether it has
	// operations, and other lines are as in version 1
	version int
	arg     uint64 // the key "n" of a record

	unescaped []byte    // backs the last string with escapes
	values    []Value   // stack of the elements of lists being read
	fields    []Binding // stack of the fields of objects being read
}

func (s *scanner) reset(line []byte) {
	s.line, s.pos = line, 0
	s.values, s.fields = s.values[:0], s.fields[:0]
}

func (s *scanner) errorAt(pos int, format string, args ...any) error {
	return &lineError{column: pos + 1, reason: fmt.Sprintf(format, args...)}
}

// badJSON returns an error: the text at the current position is not want.
func (s *scanner) badJSON(want string) error {
	if s.pos >= len(s.line) {
		return s.tooShort()
	}
	r, n := utf8.DecodeRune(s.line[s.pos:])
	if r == utf8.RuneError && n <= 1 {
		return s.errorAt(s.pos, "bad JSON: byte %#02x where %s should be", s.line[s.pos], want)
	}
	return s.errorAt(s.pos, "bad JSON: %q where %s should be", r, want)
}

func (s *scanner) tooShort() error {
	return &lineError{column: len(s.line) + 1, reason: "bad JSON: the line ends too early", short: true}
}

// peek skips white space and returns the byte after it, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.line) {
		switch c := s.line[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// accept skips white space and c, if it is next.
func (s *scanner) accept(c byte) bool {
	if s.peek() == c && s.pos < len(s.line) {
		s.pos++
		return true
	}
	return false
}

// next reads the separator between elements of a list or object that ends with end. It reports
// whether another element follows; first says that none has been read.
func (s *scanner) next(first bool, end byte) (bool, error) {
	switch {
	case s.accept(end):
		return false, nil
	case first:
		return true, nil
	case s.accept(','):
		return true, nil
	}
	return false, s.badJSON(fmt.Sprintf("',' or '%c'", end))
}

// key reads a key of an object and its colon.
func (s *scanner) key() ([]byte, error) {
	if s.peek() != '"' {
		return nil, s.badJSON("a key in quotes")
	}
	name, err := s.str()
	if err != nil {
		return nil, err
	}
	if !s.accept(':') {
		return nil, s.badJSON("':'")
	}
	return name, nil
}

// end checks that nothing but white space follows.
func (s *scanner) end() error {
	if s.peek(); s.pos < len(s.line) {
		return s.badJSON("the end of the line")
	}
	return nil
}

// str reads a string; its first quote is next. A lone \udc80 to \udcff is a raw byte, see doc.go.
func (s *scanner) str() ([]byte, error) {
	start := s.pos + 1
	ascii := true
	for i := start; i < len(s.line); i++ {
		switch c := s.line[i]; {
		case c == '"':
			s.pos = i + 1
			if !ascii {
				return s.line[start:i], s.checkUTF8(start, i)
			}
			return s.line[start:i], nil
		case c == '\\':
			return s.escapedStr(start, i)
		case c < ' ':
			return nil, s.errorAt(i, "bad JSON: control character %#02x in a string", c)
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, s.tooShort()
}

func (s *scanner) checkUTF8(from, to int) error {
	if utf8.Valid(s.line[from:to]) {
		return nil
	}
	for i := from; i < to; {
		r, n := utf8.DecodeRune(s.line[i:to])
		if r == utf8.RuneError && n <= 1 {
			return &lineError{
				column: i + 1,
				reason: fmt.Sprintf("bad JSON: byte %#02x is not UTF-8", s.line[i]),
				remedy: fmt.Sprintf(`write a raw byte as \udc%02x`, s.line[i]),
			}
		}
		i += n
	}
	return nil
}

// escapedStr continues str at the first backslash, at i.
func (s *scanner) escapedStr(start, i int) ([]byte, error) {
	out := append(s.unescaped[:0], s.line[start:i]...)
	if err := s.checkUTF8(start, i); err != nil {
		return nil, err
	}
	plain := i // nothing from here to i is escaped
	for i < len(s.line) {
		c := s.line[i]
		if c == '"' || c == '\\' {
			if err := s.checkUTF8(plain, i); err != nil {
				return nil, err
			}
			out = append(out, s.line[plain:i]...)
		}
		switch {
		case c == '"':
			s.pos, s.unescaped = i+1, out
			return out, nil
		case c == '\\':
			var err error
			if out, i, err = s.escape(out, i); err != nil {
				return nil, err
			}
			plain = i
		case c < ' ':
			return nil, s.errorAt(i, "bad JSON: control character %#02x in a string", c)
		default:
			i++
		}
	}
	return nil, s.tooShort()
}

// escape appends the meaning of the escape at i and returns its end.
func (s *scanner) escape(out []byte, i int) ([]byte, int, error) {
	if i+1 >= len(s.line) {
		return nil, 0, s.tooShort()
	}
	switch c := s.line[i+1]; c {
	case '"', '\\', '/':
		return append(out, c), i + 2, nil
	case 'b':
		return append(out, '\b'), i + 2, nil
	case 'f':
		return append(out, '\f'), i + 2, nil
	case 'n':
		return append(out, '\n'), i + 2, nil
	case 'r':
		return append(out, '\r'), i + 2, nil
	case 't':
		return append(out, '\t'), i + 2, nil
	case 'u':
		return s.unicodeEscape(out, i)
	}
	return nil, 0, s.errorAt(i, `bad JSON: %q after \ is no escape`, s.line[i+1])
}

func (s *scanner) unicodeEscape(out []byte, i int) ([]byte, int, error) {
	r, err := s.hex4(i + 2)
	if err != nil {
		return nil, 0, err
	}
	i += 6
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), i, nil
	}
	if r < 0xdc00 && i+1 < len(s.line) && s.line[i] == '\\' && s.line[i+1] == 'u' {
		low, err := s.hex4(i + 2)
		if err != nil {
			return nil, 0, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), i + 6, nil
		}
	}
	if r >= 0xdc80 && r <= 0xdcff {
		return append(out, byte(r)), i, nil
	}
	// Another lone surrogate stands for no character and no byte. Its three bytes, coded as UTF-8
	// would, distinguish it from all others.
	return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f), i, nil
}

func (s *scanner) hex4(i int) (rune, error) {
	var r rune
	for k := i; k < i+4; k++ {
		if k >= len(s.line) {
			return 0, s.tooShort()
		}
		c := s.line[k]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, s.errorAt(k, `bad JSON: \u needs four hexadecimal digits`)
		}
		r = r<<4 | rune(c)
	}
	return r, nil
}
