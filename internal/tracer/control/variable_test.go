//go:build linux && (amd64 || arm64)

package control

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/google/go-cmp/cmp"
)

func halted(t *testing.T, work ...string) *Session {
	t.Helper()
	s := start(t, nil, work...).dial(t)
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVariables(t *testing.T) {
	s := halted(t)
	vars, err := s.Variables()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range vars {
		if v.Package != pkg {
			t.Errorf("%+v", v)
		}
		got = append(got, v.Path+" "+v.Type)
	}
	want := []string{
		"counter int", "atomicCount atomic.Int64", "ready atomic.Bool", "small int8", "byteSize uint8",
		"ratio float32", "wide float64", "name string", "enabled bool", "ages map[string]int",
		"queue.items []main.Item",
		"queue.id uint16", "list.id ", "any1 interface {}", "pause time.Duration", "busy.named bool",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Values are found by the paths that people write.
func TestGet(t *testing.T) {
	s := halted(t)
	for path, want := range map[string]string{
		"counter":          "int 0",
		"atomicCount":      "atomic.Int64 0",
		"small":            "int8 5",
		"ratio":            "float32 0.5",
		"name":             `string "anna"`,
		"ready":            "atomic.Bool false",
		"ages":             `map[string]int {"anna":30,"x y]":7}`,
		`ages["anna"]`:     "int 30",
		`ages["x y]"]`:     "int 7",
		"queue.items":      `[]main.Item [{"Name":"a","n":1},{"Name":"b","n":2}]`,
		"queue.items[1].n": "int 2",
		"queue.items[0]":   `main.Item {"Name":"a","n":1}`,
		"queue.id":         "uint16 0",
		"queue.Base.id":    "uint16 0",
		"queue.grid[1][0]": "int 3",
		"queue.next":       "*main.Queue null",
		"list":             "*main.Queue null",
		"any1":             `interface {} {"Name":"in","n":9}`,
		"any1.n":           "int 9",
	} {
		if got := get(t, s, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// refused returns why the program does not do what was asked.
func refused(t *testing.T, err error) string {
	t.Helper()
	var r *RefusalError
	if !errors.As(err, &r) {
		t.Fatalf("error %v", err)
	}
	return r.Reason
}

func TestGetErrors(t *testing.T) {
	s := halted(t)
	const unknown = "the specification that the program was built for names no such package variable, or its package " +
		"is not initialised yet"
	for path, want := range map[string]string{
		"":                                     unknown,
		"nothing":                              unknown,
		"count":                                unknown,
		"counterx":                             unknown,
		"mu":                                   unknown,
		"counter.x":                            "int has no fields",
		"counter[0]":                           "int has no elements",
		"counter.":                             "int has no fields",
		"queue.":                               "main.Queue has no field ",
		"queue.size":                           "main.Queue has no field size",
		"queue.items[2]":                       "index 2 is out of range: the length is 2",
		"queue.items[-1]":                      "not an index: -1",
		"queue.items[x]":                       "not an index: x",
		"queue.items[]":                        "not an index: ",
		"queue.items[99999999999999999999999]": "not an index: 99999999999999999999999",
		"queue.items[1":                        "not a path: [1",
		"queue.items[1]n":                      "not a path: n",
		"queue.next.id":                        "nil in front of .id",
		"list.items":                           "nil in front of .items",
		`ages["bob"]`:                          "the map has no element bob",
		strings.Repeat("a", 60000):             unknown,
	} {
		_, err := s.Get(pkg, path)
		if got := refused(t, err); got != path+": "+want {
			t.Errorf("%.100s: %q, want %q", path, got, want)
		}
	}
	if _, err := s.Get("example.com/other", "counter"); refused(t, err) != "counter: "+unknown {
		t.Error(err)
	}
	if _, err := s.Get(pkg, strings.Repeat("a", 1<<17)); err == nil ||
		!strings.Contains(err.Error(), "longer than the program takes") {
		t.Error(err)
	}
}

// Variables take what their types hold, and nothing else.
func TestSet(t *testing.T) {
	s := halted(t)
	i, u, f := event.IntValue, event.UintValue, event.FloatValue
	str, b, null := event.StringValue, event.BoolValue, event.NullValue()
	for _, tt := range []struct {
		path  string
		value event.Value
		want  string // the value, or an error
	}{
		{"counter", i(-7), "int -7"},
		{"counter", u(math.MaxInt64), "int 9223372036854775807"},
		{"counter", i(math.MinInt64), "int -9223372036854775808"},
		{"counter", u(math.MaxInt64 + 1), "9223372036854775808 overflows int"},
		{"counter", f(1), "its type is int, which does not take a floating-point number"},
		{"counter", str("1"), "its type is int, which does not take a string"},
		{"counter", b(true), "its type is int, which does not take a boolean"},
		{"counter", null, "its type is int, which does not take nil"},
		{"counter", event.ListValue([]event.Value{i(1)}),
			"only a single boolean, number, string or nil can be assigned"},
		{"small", i(127), "int8 127"},
		{"small", i(128), "128 overflows int8"},
		{"small", i(-128), "int8 -128"},
		{"small", i(-129), "-129 overflows int8"},
		{"byteSize", u(255), "uint8 255"},
		{"byteSize", i(256), "256 overflows uint8"},
		{"byteSize", i(-1), "-1 overflows uint8"},
		{"ratio", f(0.25), "float32 0.25"},
		{"ratio", i(-3), "float32 -3.0"},
		{"ratio", f(1e300), "1e+300 overflows float32"},
		{"wide", f(1e300), "float64 1e+300"},
		{"wide", i(1<<53 + 1), "its type is float64, which does not take an integer"},
		{"wide", str("x"), "its type is float64, which does not take a string"},
		{"name", str("bob"), `string "bob"`},
		{"name", str(""), `string ""`},
		{"name", i(1), "its type is string, which does not take an integer"},
		{"enabled", b(true), "bool true"},
		{"enabled", b(false), "bool false"},
		{"enabled", i(1), "its type is bool, which does not take an integer"},
		{"pause", i(5e9), "time.Duration 5000000000"},
		{"atomicCount", i(12), "atomic.Int64 12"},
		{"ready", b(true), "atomic.Bool true"},
		{"ready", i(1), "its type is atomic.Bool, which does not take an integer"},
		{"queue.items[1].n", i(22), "int 22"},
		{"queue.items[1].Name", str("bb"), `string "bb"`},
		{"queue.items[1]", i(22), "its type is main.Item, which does not take an integer; name one of its fields"},
		{"queue.items", i(22), "its type is []main.Item, which does not take an integer; name one of its elements"},
		{"queue.grid[0][1]", i(9), "int 9"},
		{"queue.id", i(65535), "uint16 65535"},
		{"queue.id", i(65536), "65536 overflows uint16"},
		{"list", null, "*main.Queue null"},
		{"list", i(0), "its type is *main.Queue, which does not take an integer"},
		{"any1.n", i(1), "it has no address: an element of a map or the value in an interface cannot be changed"},
		{`ages["anna"]`, i(1), "it has no address: an element of a map or the value in an interface cannot be changed"},
		{"any1", null, "interface {} null"},
		{"any1", i(1), "its type is interface {}, which does not take an integer"},
		{"queue.items", null, "[]main.Item []"},
		{"ages", null, "map[string]int {}"},
		{"nothing", i(1), "the specification that the program was built for names no such package variable, or its " +
			"package is not initialised yet"},
	} {
		before, beforeErr := s.Get(pkg, tt.path)
		v, err := s.Set(pkg, tt.path, tt.value)
		if err != nil {
			if got := refused(t, err); got != tt.path+": "+tt.want {
				t.Errorf("%s = %v: %q, want %q", tt.path, tt.value, got, tt.want)
			}
			if after, _ := s.Get(pkg, tt.path); beforeErr == nil && text(after) != text(before) {
				t.Errorf("%s = %v is refused and makes it %v", tt.path, tt.value, text(after))
			}
			continue
		}
		if got := text(v); got != tt.want || get(t, s, tt.path) != tt.want {
			t.Errorf("%s = %v makes it %s, %s; want %s", tt.path, tt.value, got, get(t, s, tt.path), tt.want)
		}
	}
}

// The program sees what it was given.
func TestSetIsSeen(t *testing.T) {
	p := start(t, nil, "locked")
	s := p.dial(t)
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Set(pkg, "counter", event.IntValue(1e15)); err != nil {
		t.Fatal(err)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	eventually(t, s, func() bool {
		v, err := s.Get(pkg, "counter")
		if err != nil || v.Int() < 1e15 {
			t.Fatal(text(v), err)
		}
		return v.Int() > 1e15
	})
	if _, err := s.Set(pkg, "ready", event.BoolValue(true)); err != nil {
		t.Fatal(err)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	p.line(t, "told")
}

// A map is not looked at in the middle of an operation on it: that would end the program.
func TestMapInUse(t *testing.T) {
	s := start(t, nil, "compare", "locked").dial(t)
	eventually(t, s, func() bool {
		for _, path := range []string{"busy", "busy.big[1]", "busy.big", "ages"} {
			if _, err := s.Get(pkg, path); err != nil &&
				strings.Contains(refused(t, err), "in the middle of changing a map") {
				return true
			}
		}
		return false
	})
}
