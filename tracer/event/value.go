package event

import (
	"math"
	"slices"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values. Invalid is the kind of the zero Value, which no trace contains.
const (
	Invalid Kind = iota
	Null
	Bool
	Int    // 64-bit signed
	Uint   // above the range of Int
	Float  // 64-bit
	String // any bytes; JSON writes them as UTF-8
	List
	Object // keys keep their order
)

// Value is an immutable value of a variable. It is small (24 bytes) because traces hold millions:
// bits holds numbers and booleans, ref everything else.
type Value struct {
	bits uint64
	ref  any // Kind for Null, Bool, Int, Uint and Float; string; []Value; []Binding
}

// NullValue returns JSON's null.
func NullValue() Value { return Value{ref: Null} }

// BoolValue returns a boolean.
func BoolValue(b bool) Value {
	if b {
		return Value{1, Bool}
	}
	return Value{0, Bool}
}

// IntValue returns a signed integer.
func IntValue(i int64) Value { return Value{uint64(i), Int} }

// UintValue returns an integer. A value that fits into int64 has kind Int.
func UintValue(u uint64) Value {
	if u <= math.MaxInt64 {
		return Value{u, Int}
	}
	return Value{u, Uint}
}

// FloatValue returns a floating-point number.
func FloatValue(f float64) Value { return Value{math.Float64bits(f), Float} }

// StringValue returns a string.
func StringValue(s string) Value { return Value{ref: s} }

// ListValue returns a list that owns vs.
func ListValue(vs []Value) Value { return Value{ref: vs} }

// ObjectValue returns an object that owns fields; no two have the same name.
func ObjectValue(fields []Binding) Value { return Value{ref: fields} }

// Kind returns the kind of v.
func (v Value) Kind() Kind {
	switch r := v.ref.(type) {
	case Kind:
		return r
	case string:
		return String
	case []Value:
		return List
	case []Binding:
		return Object
	}
	return Invalid
}

// Bool returns the boolean; only for kind Bool.
func (v Value) Bool() bool { return v.bits != 0 }

// Int returns the integer; only for kind Int.
func (v Value) Int() int64 { return int64(v.bits) }

// Uint returns the integer; only for kinds Int (not negative) and Uint.
func (v Value) Uint() uint64 { return v.bits }

// Float returns the number; only for kind Float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Str returns the string; only for kind String.
func (v Value) Str() string { return v.ref.(string) }

// List returns the elements, which must not be changed; only for kind List.
func (v Value) List() []Value { return v.ref.([]Value) }

// Fields returns the fields, which must not be changed; only for kind Object.
func (v Value) Fields() []Binding { return v.ref.([]Binding) }

// Field returns the field of that name of an object.
func (v Value) Field(name string) (Value, bool) {
	fields, _ := v.ref.([]Binding)
	for _, f := range fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return Value{}, false
}

// Size returns the approximate memory of the value in bytes.
func (v Value) Size() int {
	size := 24
	switch v.Kind() {
	case String:
		size += len(v.Str())
	case List:
		for _, x := range v.List() {
			size += x.Size()
		}
	case Object:
		size += sizeOf(v.Fields())
	}
	return size
}

func sizeOf(bs []Binding) int {
	size := 0
	for i := range bs {
		size += 16 + len(bs[i].Name) + bs[i].Value.Size()
	}
	return size
}

// Equal reports whether v and w are the same value: the same kind, the same bits of a number (so a
// NaN equals itself, 0.0 and -0.0 differ), the same bytes of a string, the same elements, the same
// fields in the same order. It compares recorded data; the == of the specification language
// differs.
func (v Value) Equal(w Value) bool {
	k := v.Kind()
	if k != w.Kind() {
		return false
	}
	switch k {
	case String:
		return v.Str() == w.Str()
	case List:
		return slices.EqualFunc(v.List(), w.List(), Value.Equal)
	case Object:
		return slices.EqualFunc(v.Fields(), w.Fields(), func(a, b Binding) bool {
			return a.Name == b.Name && a.Value.Equal(b.Value)
		})
	}
	return v.bits == w.bits
}
