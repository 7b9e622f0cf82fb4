package event

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestValueBytes(t *testing.T) {
	tests := []struct {
		value Value
		want  string
	}{
		{NullValue(), "\x00"},
		{Value{}, "\x00"},
		{BoolValue(false), "\x01"},
		{BoolValue(true), "\x02"},
		{IntValue(0), "\x03\x00"},
		{IntValue(-1), "\x03\x01"},
		{IntValue(64), "\x03\x80\x01"},
		{IntValue(math.MinInt64), "\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{UintValue(7), "\x03\x0e"},
		{UintValue(math.MaxUint64), "\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{FloatValue(1), "\x05\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		{StringValue("a\xff"), "\x06\x02a\xff"},
		{ListValue([]Value{NullValue(), StringValue("")}), "\x07\x02\x00\x06\x00"},
		{ObjectValue([]Binding{{"x", BoolValue(true)}}), "\x08\x01\x01x\x02"},
	}
	for _, tt := range tests {
		if got := string(AppendValue(nil, tt.value)); got != tt.want {
			t.Errorf("%v: % x, want % x", tt.value, got, tt.want)
		}
	}
}

func TestValueBytesErrors(t *testing.T) {
	deep := strings.Repeat("\x07\x01", 5) + "\x00"
	tests := []struct{ in, want string }{
		{"", errShort.Error()},
		{"\x09", errBadTag.Error()},
		{"\x03", errShort.Error()},
		{"\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", errBadVarint.Error()},
		{"\x05\x00\x00\x00\x00\x00\x00\x00", errShort.Error()},
		{"\x06\x02a", errShort.Error()},
		{"\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", errShort.Error()},
		{"\x07\x02\x00\x06", errShort.Error()},
		{"\x08\x01\x01", errShort.Error()},
		{"\x08\x02\x01x\x00\x01x\x01", `two fields "x"`},
		{deep, errTooDeep.Error()},
	}
	for _, tt := range tests {
		_, _, err := DecodeValue([]byte(tt.in), Limits{Depth: 4})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("% x: %v, want %q", tt.in, err, tt.want)
		}
	}
	if _, _, err := DecodeValue([]byte(deep), Limits{Depth: 5}); err != nil {
		t.Errorf("value as deep as the limit: %v", err)
	}
}

func TestUnsignedTagMayHoldSmallInteger(t *testing.T) {
	v, _, err := DecodeValue([]byte("\x04\x05"), Limits{})
	if err != nil || v.Kind() != Int || v.Int() != 5 {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestDuplicateNameInManyFields(t *testing.T) {
	var fields []Binding
	for i := range 10 * fewNames {
		fields = append(fields, Binding{strings.Repeat("x", i), NullValue()})
	}
	if name, ok := duplicateName(fields); ok {
		t.Errorf("%q is no duplicate", name)
	}
	fields = append(fields, Binding{"xx", NullValue()})
	if name, ok := duplicateName(fields); !ok || name != "xx" {
		t.Errorf("got %q, %v", name, ok)
	}
}

func TestValueBytesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		tail := rapid.SliceOf(rapid.Byte()).Draw(t, "tail")
		got, rest, err := DecodeValue(append(AppendValue(nil, v), tail...), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(v, got); d != "" {
			t.Fatal(d)
		}
		if !bytes.Equal(rest, tail) {
			t.Fatalf("rest is % x, want % x", rest, tail)
		}
	})
}
