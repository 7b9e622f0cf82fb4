package event

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The tags of the binary value coding; doc.go describes it.
const (
	tagNull   = 0x00
	tagFalse  = 0x01
	tagTrue   = 0x02
	tagInt    = 0x03
	tagUint   = 0x04
	tagFloat  = 0x05
	tagString = 0x06
	tagList   = 0x07
	tagObject = 0x08
)

// AppendValue appends the binary coding of v to dst. The zero Value is coded as null.
func AppendValue(dst []byte, v Value) []byte {
	switch v.Kind() {
	case Bool:
		if v.Bool() {
			return append(dst, tagTrue)
		}
		return append(dst, tagFalse)
	case Int:
		return binary.AppendVarint(append(dst, tagInt), v.Int())
	case Uint:
		return binary.AppendUvarint(append(dst, tagUint), v.Uint())
	case Float:
		return binary.LittleEndian.AppendUint64(append(dst, tagFloat), math.Float64bits(v.Float()))
	case String:
		return appendString(append(dst, tagString), v.Str())
	case List:
		dst = binary.AppendUvarint(append(dst, tagList), uint64(len(v.List())))
		for _, w := range v.List() {
			dst = AppendValue(dst, w)
		}
		return dst
	case Object:
		dst = binary.AppendUvarint(append(dst, tagObject), uint64(len(v.Fields())))
		for _, f := range v.Fields() {
			dst = AppendValue(appendString(dst, f.Name), f.Value)
		}
		return dst
	}
	return append(dst, tagNull)
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

var (
	errShort     = errors.New("value ends too early")
	errBadVarint = errors.New("number of more than 64 bits")
	errBadTag    = errors.New("unknown kind of value")
	errTooDeep   = errors.New("value is nested too deeply")
	errTooMany   = errors.New("value has too many elements")
)

// DecodeValue reads one value from the front of b and returns the bytes after it. The value shares
// no memory with b. It takes memory at most in proportion to len(b).
func DecodeValue(b []byte, limits Limits) (v Value, rest []byte, err error) {
	limits = limits.withDefaults()
	elements := limits.elements()
	return decodeValue(b, limits.Depth, &elements)
}

// decodeValue is DecodeValue with bounds: lists and objects are nested at most depth deep and have
// at most left elements in all.
func decodeValue(b []byte, depth int, left *int) (Value, []byte, error) {
	if len(b) == 0 {
		return Value{}, nil, errShort
	}
	tag, b := b[0], b[1:]
	switch tag {
	case tagNull:
		return NullValue(), b, nil
	case tagFalse:
		return BoolValue(false), b, nil
	case tagTrue:
		return BoolValue(true), b, nil
	case tagInt:
		u, b, err := cutUvarint(b)
		return IntValue(int64(u>>1) ^ -int64(u&1)), b, err
	case tagUint:
		u, b, err := cutUvarint(b)
		return UintValue(u), b, err
	case tagFloat:
		if len(b) < 8 {
			return Value{}, nil, errShort
		}
		return FloatValue(math.Float64frombits(binary.LittleEndian.Uint64(b))), b[8:], nil
	case tagString:
		s, b, err := cutBytes(b)
		return StringValue(string(s)), b, err
	case tagList:
		return decodeList(b, depth, left)
	case tagObject:
		return decodeObject(b, depth, left)
	}
	return Value{}, nil, errBadTag
}

// firstCapacity bounds the allocation for an untrusted count: further memory is allocated as
// elements arrive.
const firstCapacity = 16

func decodeList(b []byte, depth int, left *int) (Value, []byte, error) {
	n, b, err := cutCount(b, 1)
	if err != nil {
		return Value{}, nil, err
	}
	if depth == 0 {
		return Value{}, nil, errTooDeep
	}
	if *left -= n; *left < 0 {
		return Value{}, nil, errTooMany
	}
	vs := make([]Value, 0, min(n, firstCapacity))
	for range n {
		var v Value
		if v, b, err = decodeValue(b, depth-1, left); err != nil {
			return Value{}, nil, err
		}
		vs = append(vs, v)
	}
	return ListValue(vs), b, nil
}

func decodeObject(b []byte, depth int, left *int) (Value, []byte, error) {
	n, b, err := cutCount(b, 2)
	if err != nil {
		return Value{}, nil, err
	}
	if depth == 0 {
		return Value{}, nil, errTooDeep
	}
	if *left -= n; *left < 0 {
		return Value{}, nil, errTooMany
	}
	fields := make([]Binding, 0, min(n, firstCapacity))
	for range n {
		var name []byte
		var v Value
		if name, b, err = cutBytes(b); err != nil {
			return Value{}, nil, err
		}
		if v, b, err = decodeValue(b, depth-1, left); err != nil {
			return Value{}, nil, err
		}
		fields = append(fields, Binding{string(name), v})
	}
	if name, ok := duplicateName(fields); ok {
		return Value{}, nil, fmt.Errorf("object has two fields %q", name)
	}
	return ObjectValue(fields), b, nil
}

// cutUvarint reads an unsigned number from the front of b.
func cutUvarint(b []byte) (uint64, []byte, error) {
	u, n := binary.Uvarint(b)
	if n == 0 {
		return 0, nil, errShort
	}
	if n < 0 {
		return 0, nil, errBadVarint
	}
	return u, b[n:], nil
}

// cutBytes reads a length and that many bytes from the front of b; the result aliases b.
func cutBytes(b []byte) (s, rest []byte, err error) {
	n, b, err := cutCount(b, 1)
	if err != nil {
		return nil, nil, err
	}
	return b[:n], b[n:], nil
}

// cutCount reads a count of elements that each take at least size bytes. It returns an error
// for a count that the rest of b cannot hold.
func cutCount(b []byte, size int) (int, []byte, error) {
	u, b, err := cutUvarint(b)
	if err != nil {
		return 0, nil, err
	}
	if u > uint64(len(b)/size) {
		return 0, nil, errShort
	}
	return int(u), b, nil
}

// duplicateName returns a name that two of the bindings share.
func duplicateName(bs []Binding) (string, bool) {
	if len(bs) <= fewNames {
		for i := range bs {
			for j := range i {
				if bs[i].Name == bs[j].Name {
					return bs[i].Name, true
				}
			}
		}
		return "", false
	}
	seen := make(map[string]struct{}, len(bs))
	for i := range bs {
		if _, ok := seen[bs[i].Name]; ok {
			return bs[i].Name, true
		}
		seen[bs[i].Name] = struct{}{}
	}
	return "", false
}

// fewNames bounds the bindings that are compared pairwise; more use a map, because an object of a
// million fields must not take quadratic time.
const fewNames = 12
