package event

import (
	"math"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends v in the text form of a trace. The zero Value is null.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind() {
	case Bool:
		return strconv.AppendBool(dst, v.Bool())
	case Int:
		return strconv.AppendInt(dst, v.Int(), 10)
	case Uint:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case Float:
		return appendFloat(dst, v.Float())
	case String:
		return appendJSONString(dst, v.Str())
	case List:
		dst = append(dst, '[')
		for i, w := range v.List() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = w.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		fields := v.Fields()
		if len(fields) == 1 && isWrapKey(fields[0].Name) {
			fields = []Binding{{"$" + fields[0].Name, fields[0].Value}}
		}
		return appendBindings(dst, fields)
	}
	return append(dst, "null"...)
}

func appendBindings(dst []byte, bs []Binding) []byte {
	dst = append(dst, '{')
	for i, b := range bs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSONString(dst, b.Name), ':')
		dst = b.Value.AppendJSON(dst)
	}
	return append(dst, '}')
}

// appendFloat appends f in a form that reads back as a float: with a fraction or an exponent, or as
// the object for a float without a number in JSON.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, `{"$float":"+Inf"}`...)
	case math.IsInf(f, -1):
		return append(dst, `{"$float":"-Inf"}`...)
	case math.IsNaN(f):
		dst = append(dst, `{"$float":"NaN`...)
		if bits := math.Float64bits(f); bits != math.Float64bits(math.NaN()) {
			dst = append(dst, ':')
			for shift := 60; shift >= 0; shift -= 4 {
				dst = append(dst, hexDigits[bits>>shift&15])
			}
		}
		return append(dst, `"}`...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

const hexDigits = "0123456789abcdef"

// appendJSONString appends s in quotes. It escapes unprintable characters, so a trace can be shown
// in a terminal. A byte that is not UTF-8 becomes the lone surrogate that stands for it.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0 // nothing from here to i needs an escape
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n > 1 && unicode.IsPrint(r) {
			i += n
			continue
		}
		dst = append(dst, s[plain:i]...)
		if r == utf8.RuneError && n == 1 {
			r = 0xdc00 | rune(c)
		}
		dst = appendEscape(dst, r)
		i += n
		plain = i
	}
	return append(append(dst, s[plain:]...), '"')
}

func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendHex4(appendHex4(dst, high), low)
	}
	return appendHex4(dst, r)
}

func appendHex4(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// String returns v as JSON, for people.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// MarshalJSON returns v in the text form of a trace.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads v from the text form of a trace.
func (v *Value) UnmarshalJSON(b []byte) error {
	limit := Limits{}.withDefaults().Depth
	s := scanner{line: b, depth: limit, pool: new(pool)}
	w, err := s.value(limit)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return err
	}
	*v = w
	return nil
}
