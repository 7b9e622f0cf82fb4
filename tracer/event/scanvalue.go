package event

import (
	"math"
	"strconv"
)

// value reads a value whose lists and objects are nested at most depth deep.
func (s *scanner) value(depth int) (Value, error) {
	switch c := s.peek(); {
	case c == '"':
		b, err := s.str()
		if err != nil {
			return Value{}, err
		}
		return s.pool.value(b), nil
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == '[':
		return s.list(depth)
	case c == '{':
		return s.object(depth)
	case c == 't':
		return BoolValue(true), s.word("true")
	case c == 'f':
		return BoolValue(false), s.word("false")
	case c == 'n':
		return NullValue(), s.word("null")
	}
	return Value{}, s.badJSON("a value")
}

func (s *scanner) word(w string) error {
	for i := range len(w) {
		if s.pos >= len(s.line) || s.line[s.pos] != w[i] {
			return s.badJSON("the rest of " + w)
		}
		s.pos++
	}
	return nil
}

func (s *scanner) list(depth int) (Value, error) {
	if depth == 0 {
		return Value{}, s.errorAt(s.pos, "value is nested deeper than %d", s.depth)
	}
	s.pos++
	base := len(s.values)
	for first := true; ; first = false {
		more, err := s.next(first, ']')
		if err != nil {
			return Value{}, err
		}
		if !more {
			break
		}
		v, err := s.value(depth - 1)
		if err != nil {
			return Value{}, err
		}
		s.values = append(s.values, v)
	}
	vs := append([]Value(nil), s.values[base:]...)
	s.values = s.values[:base]
	return ListValue(vs), nil
}

func (s *scanner) object(depth int) (Value, error) {
	if depth == 0 {
		return Value{}, s.errorAt(s.pos, "value is nested deeper than %d", s.depth)
	}
	base := len(s.fields)
	if err := s.pairs(depth - 1); err != nil {
		return Value{}, err
	}
	fields := append([]Binding(nil), s.fields[base:]...)
	s.fields = s.fields[:base]
	return unwrap(fields), nil
}

// bindings reads an object of variables into dst.
func (s *scanner) bindings(dst []Binding) ([]Binding, error) {
	base := len(s.fields)
	if err := s.pairs(s.depth); err != nil {
		return dst, err
	}
	dst = append(dst, s.fields[base:]...)
	s.fields = s.fields[:base]
	return dst, nil
}

// pairs reads an object, including its '{', and leaves its fields on the stack.
func (s *scanner) pairs(depth int) error {
	start := s.pos
	if !s.accept('{') {
		return s.badJSON("'{'")
	}
	base := len(s.fields)
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		name := s.pool.str(key)
		v, err := s.value(depth)
		if err != nil {
			return err
		}
		s.fields = append(s.fields, Binding{name, v})
	}
	if name, ok := duplicateName(s.fields[base:]); ok {
		return s.errorAt(start, "bad JSON: key %q stands twice in one object", name)
	}
	return nil
}

// number reads a number: an integer if it has neither fraction nor exponent.
func (s *scanner) number() (Value, error) {
	start := s.pos
	integer, err := s.numeral()
	if err != nil {
		return Value{}, err
	}
	text := s.line[start:s.pos]
	if integer {
		if i, ok := smallInteger(text); ok {
			return IntValue(i), nil
		}
		if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return IntValue(i), nil
		}
		if u, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return UintValue(u), nil
		}
	} else if f, err := strconv.ParseFloat(string(text), 64); err == nil {
		return FloatValue(f), nil
	}
	if s.keepNumbers {
		return s.pool.value(text), nil
	}
	if integer {
		return Value{}, &lineError{column: start + 1, reason: "integer of more than 64 bits",
			remedy: "write it as a string, or with a fraction if it need not be exact"}
	}
	return Value{}, &lineError{column: start + 1, reason: "number beyond the range of 64-bit floating point",
		remedy: `infinity is {"$float":"+Inf"}`}
}

// numeral skips a number according to JSON's grammar and reports whether it is an integer.
func (s *scanner) numeral() (integer bool, err error) {
	if s.line[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.line) && s.line[s.pos] == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return false, err
	}
	integer = true
	if s.pos < len(s.line) && s.line[s.pos] == '.' {
		integer = false
		s.pos++
		if err := s.digits(); err != nil {
			return false, err
		}
	}
	if s.pos < len(s.line) && s.line[s.pos]|0x20 == 'e' {
		integer = false
		s.pos++
		if s.pos < len(s.line) && (s.line[s.pos] == '+' || s.line[s.pos] == '-') {
			s.pos++
		}
		if err := s.digits(); err != nil {
			return false, err
		}
	}
	return integer, nil
}

func (s *scanner) digits() error {
	start := s.pos
	for s.pos < len(s.line) && '0' <= s.line[s.pos] && s.line[s.pos] <= '9' {
		s.pos++
	}
	if s.pos == start {
		return s.badJSON("a digit")
	}
	return nil
}

// smallInteger handles the usual case of strconv.ParseInt without allocating a string.
func smallInteger(text []byte) (int64, bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 18 {
		return 0, false
	}
	var i int64
	for _, c := range digits {
		i = i*10 + int64(c-'0')
	}
	if text[0] == '-' {
		i = -i
	}
	return i, true
}

// The rest of this file handles floats without a number in JSON; doc.go has the rule. wrapKey is
// the only field of the object that stands for one.
const wrapKey = "$float"

// isWrapKey reports whether an object with only this field looks like a float, or like the escaped
// form of such an object.
func isWrapKey(name string) bool {
	for len(name) > len(wrapKey) && name[:2] == "$$" {
		name = name[1:]
	}
	return name == wrapKey
}

// unwrap returns the value for which an object in JSON stands.
func unwrap(fields []Binding) Value {
	if len(fields) != 1 || !isWrapKey(fields[0].Name) {
		return ObjectValue(fields)
	}
	if fields[0].Name != wrapKey {
		fields[0].Name = fields[0].Name[1:]
		return ObjectValue(fields)
	}
	if v := fields[0].Value; v.Kind() == String {
		if f, ok := specialFloat(v.Str()); ok {
			return FloatValue(f)
		}
	}
	return ObjectValue(fields)
}

const nanPrefix = "NaN:"

func specialFloat(s string) (float64, bool) {
	switch s {
	case "+Inf":
		return math.Inf(1), true
	case "-Inf":
		return math.Inf(-1), true
	case "NaN":
		return math.NaN(), true
	}
	if len(s) != len(nanPrefix)+16 || s[:len(nanPrefix)] != nanPrefix {
		return 0, false
	}
	bits, err := strconv.ParseUint(s[len(nanPrefix):], 16, 64)
	f := math.Float64frombits(bits)
	return f, err == nil && math.IsNaN(f)
}
