package lsl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// local reads a local formula.
func local(t testing.TB, src string) spec.Local {
	t.Helper()
	p, err := spec.ParseFormula("t:(" + src + ")")
	if err != nil {
		t.Fatal(err)
	}
	return p.Formula.(*spec.Atom).Local
}

// eval evaluates a local formula in a local state of the task.
func eval(t testing.TB, net *san.Net, src, task string, k int, logic lsl.Logic) (lsl.Truth, *lsl.Log) {
	t.Helper()
	id, ok := net.Lookup(task)
	if !ok {
		t.Fatalf("no task %s", task)
	}
	w := net.Walk(id)
	w.Seek(k)
	var log lsl.Log
	return lsl.Compile(net, local(t, src), logic).Eval(w.State(), &log), &log
}

const values = `{"antichain":1,"tasks":["a"],"const":{"N":7,"lim.max":3}}
{"t":"a","global":{"i":5,"neg":-7,"f":2.5,"two":2.0,"big":9007199254740993,"max":9223372036854775807,"min":-9223372036854775808,"u":18446744073709551615,"yes":true,"no":false,"nothing":null,"s":"héllo","list":[1,2,3],"evens":[2,4],"empty":[],"words":["a","b"],"mixed":[1,"a"],"obj":{"k":1,"in":{"deep":[{"x":9}]}},"b":{"first":1,"data":[0,21]},"b.first":10,"dup":{"b":1,"a":2},"dup2":{"a":2,"b":1},"other":{"b":1,"a":3},"renamed":{"c":1,"a":2},"zeros":[0.0,0.0]}}
`

const (
	isTrue  = lsl.True
	isFalse = lsl.False
	undef   = lsl.Undefined
)

func TestExpressions(t *testing.T) {
	net := santest.Read(t, values)
	tests := []struct {
		src  string
		want lsl.Truth
		// counted: the undefined value is the fault of an evaluation
		counted string
	}{
		{"yes", isTrue, ""}, {"no", isFalse, ""}, {"true", isTrue, ""}, {"false", isFalse, ""},
		{"missing", undef, ""}, {"missing == 1 or yes", isTrue, ""}, {"i == 5 and missing > 0", undef, ""},

		// Go's integer arithmetic.
		{"i + 2 * 3 == 11", isTrue, ""}, {"(i + 2) * 3 == 21", isTrue, ""}, {"i - 2 - 1 == 2", isTrue, ""},
		{"neg / 2 == -3", isTrue, ""}, {"neg % 2 == -1", isTrue, ""}, {"neg % -4 == -3", isTrue, ""},
		{"7 / -2 == -3", isTrue, ""},
		{"max + 1 == min", isTrue, ""}, {"min - 1 == max", isTrue, ""}, {"-min == min", isTrue, ""},
		{"min / -1 == min", isTrue, ""},
		{"min % -1 == 0", isTrue, ""}, {"max * 2 == -2", isTrue, ""}, {"abs(min) == min", isTrue, ""},
		{"-i == -5", isTrue, ""}, {"--i == i", isTrue, ""},
		{"i / 0 == 1", undef, "divides by zero"}, {"i % (i - 5) == 1", undef, "divides by zero"},
		{"N % 2 == 1", isTrue, ""}, {"lim.max == 3", isTrue, ""}, {"(N + i) % N == i", isTrue, ""},

		// Above the range of int64, as a uint64 of the program.
		{"u == 18446744073709551615", isTrue, ""}, {"u > max", isTrue, ""}, {"u > -1", isTrue, ""},
		{"u + 1 == 0", isTrue, ""},
		{"u % 16 == 15", isTrue, ""}, {"u / 2 == max", isTrue, ""}, {"odd(u)", isTrue, ""},
		{"u / 0 == 0", undef, "divides by zero"},
		{"u + -1 == 0", undef, "negative"}, {"u < 1e30", isTrue, ""}, {"u < 18446744073709551616.0", isTrue, ""},
		{"u > -0.5", isTrue, ""}, {"-u == 1", isTrue, ""},

		// Integers and floats compare by exact value.
		{"f > i", isFalse, ""}, {"two == 2", isTrue, ""}, {"2 == two", isTrue, ""}, {"f == 2", isFalse, ""},
		{"f > 2 and f < 3", isTrue, ""}, {"-2.5 < -2 and -2.5 > -3", isTrue, ""},
		{"big == 9007199254740992.0", isFalse, ""}, {"big > 9007199254740992.0", isTrue, ""},
		{"max < 9223372036854775808.0", isTrue, ""}, {"max == 9223372036854775808.0", isFalse, ""},
		{"min == -9223372036854775808.0", isTrue, ""}, {"min > -1e300 and max < 1e300", isTrue, ""},
		{"f + 0.5 == 3.0", isTrue, ""}, {"f * 2.0 == 5", isTrue, ""}, {"f / 0.0 > 1", undef, "divides by zero"},
		{"f + 1 == 3.5", undef, "mixes an integer and a float"},
		{"f % 2.0 == 0.5", undef, "% of floats"}, {"f - two == 0.5", isTrue, ""}, {"-f == -2.5", isTrue, ""},

		// Types.
		{"yes == true", isTrue, ""}, {"yes != no", isTrue, ""}, {"(i > 3) == yes", isTrue, ""},
		{"i > 3 == yes", isTrue, ""},
		{"yes == 1", undef, "compares a boolean with an integer"}, {"s == 1", undef, "compares a string"},
		{"s != 1", undef, "compares a string"}, {"yes > no", undef, "compares"},
		{"i", undef, "gives an integer"}, {"s", undef, "gives a string"}, {"nothing", undef, "gives null"},
		{"s + s == s", undef, "+ of a string"}, {"-s == s", undef, "- of a string"},
		{`s == "h\u00e9llo"`, isTrue, ""}, {`s < "i" and "a" < s`, isTrue, ""}, {"nothing == null", isTrue, ""},
		{"i == null", isFalse, ""}, {"null != obj", isTrue, ""}, {"nothing < 1", undef, "compares"},
		{"i > 3 and s > 3", undef, "compares"},

		// Fields and indexes.
		{"list[0] == 1 and list[i - 3] == 3", isTrue, ""}, {"list[3] == 1", undef, "out of range of a list of 3"},
		{"list[-1] == 1", undef, "out of range"}, {"list[u] == 1", undef, "out of range"},
		{"i[0] == 1", undef, "an integer indexed"}, {"list[two] == 3", undef, "indexed with a float"},
		{"obj.k == 1", isTrue, ""}, {`obj["k"] == 1`, isTrue, ""}, {"obj.in.deep[0].x == 9", isTrue, ""},
		{"(obj).in.deep[0].x == 9", isTrue, ""},
		{"obj.q == 1", undef, `no field "q"`}, {"obj.k.z == 1", undef, `field "z" of an integer`},
		{"nothing.z == 1", undef, `field "z" of null`}, {"obj.in.deep[0].y == 9", undef, `no field "y"`},
		{"b.first == 10", isTrue, ""}, {"b.data[1] == 21", isTrue, ""}, {"(b).first == 1", isTrue, ""},

		// Deep equality.
		{"list == list", isTrue, ""}, {"list != evens", isTrue, ""}, {"empty == empty", isTrue, ""},
		{"dup == dup2", isTrue, ""}, {"obj == dup", isFalse, ""}, {"dup == other", isFalse, ""},
		{"dup == renamed", isFalse, ""}, {"mixed == words", isFalse, ""}, {"zeros == words", isFalse, ""},
		{"words == zeros", isFalse, ""}, {"list == obj", undef, "compares a list with an object"},

		// Built-ins.
		{"len(list) == 3 and len(empty) == 0", isTrue, ""}, {"len(s) == 6", isTrue, ""}, {"len(obj) == 2", isTrue, ""},
		{"len(i) == 1", undef, "len of an integer"},
		{"abs(neg) == 7 and abs(i) == 5 and abs(-2.5) == f", isTrue, ""}, {"abs(u) == u", isTrue, ""},
		{"abs(s) == 1", undef, "abs of a string"},
		{"min(i, neg) == neg and max(i, neg) == i", isTrue, ""}, {"min(2, f) == 2 and max(2, f) == f", isTrue, ""},
		{"min(i, s) == 1", undef, "min of an integer and a string"},
		{"even(evens) and not even(list) and even(empty) and odd(empty)", isTrue, ""},
		{"odd(i) and odd(neg) and even(0) and not even(i)", isTrue, ""},
		{"even(mixed)", undef, "even of a list with a string"}, {"even(f)", undef, "even of a float"},
		{"sorted(list) and sorted(empty) and sorted(words)", isTrue, ""}, {"sorted(mixed)", undef, "sorted compares"},
		{"sorted(i)", undef, "sorted of an integer"},
	}
	for _, test := range tests {
		got, log := eval(t, net, test.src, "a", 1, lsl.L3)
		if got != test.want {
			t.Errorf("%s: got %v, want %v", test.src, got, test.want)
		}
		ts := log.EvalErrors()
		if test.counted == "" && len(ts) > 0 ||
			test.counted != "" && (len(ts) != 1 || ts[0].Count != 1 || !strings.Contains(ts[0].Reason, test.counted)) {
			t.Errorf("%s: counted %v, want %q", test.src, ts, test.counted)
		}
	}
}

func TestConnectivesByDialect(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a"]}
{"t":"a","set":{"T":true,"F":false}}
`)
	tests := []struct {
		src        string
		l3, frey96 lsl.Truth
	}{
		{"F and U", isFalse, undef}, {"U and F", isFalse, undef}, {"T and U", undef, undef}, {"U and T", undef, undef},
		{"T and F", isFalse, isFalse}, {"T and T", isTrue, isTrue},
		{"T or U", isTrue, undef}, {"U or T", isTrue, undef}, {"F or U", undef, undef}, {"F or F", isFalse, isFalse},
		{"F or T", isTrue, isTrue},
		{"F -> U", isTrue, undef}, {"U -> T", isTrue, undef}, {"T -> F", isFalse, isFalse}, {"F -> F", isTrue, isTrue},
		{"U -> F", undef, undef}, {"T -> F -> F", isTrue, isTrue}, {"T implies T", isTrue, isTrue},
		{"not U", undef, undef}, {"not F", isTrue, isTrue}, {"not (F and U)", isTrue, undef},
		{"T and F and U", isFalse, undef}, {"not T or T", isTrue, isTrue}, {"not (T or T)", isFalse, isFalse},
		{"in.f", isFalse, isFalse}, {"in.f and U", isFalse, undef}, {"not start.f and not term.f", isTrue, isTrue},
	}
	for _, test := range tests {
		for logic, want := range map[lsl.Logic]lsl.Truth{lsl.L3: test.l3, lsl.Frey96: test.frey96} {
			if got, _ := eval(t, net, test.src, "a", 1, logic); got != want {
				t.Errorf("%v: %s: got %v, want %v", logic, test.src, got, want)
			}
		}
	}
}

func TestPredicates(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a"]}
{"t":"a","enter":"f"}
{"t":"a","enter":"(*Q).g"}
{"t":"a","exit":"(*Q).g"}
{"t":"a","exit":"f"}
`)
	// The value in states 0 … 4.
	for src, want := range map[string]string{
		"in.f": "FTTTT", "start.f": "FTFFF", "term.f": "FFFFT",
		`in."(*Q).g"`: "FFTTF", `start."(*Q).g"`: "FFTFF", `term."(*Q).g"`: "FFFTF", "in.g": "FFFFF",
	} {
		got := ""
		for k := range 5 {
			v, _ := eval(t, net, src, "a", k, lsl.L3)
			got += map[lsl.Truth]string{isTrue: "T", isFalse: "F", undef: "U"}[v]
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
}

// Two tasks write shared variables concurrently, so a:0 sees several values.
const shared = `{"antichain":1,"tasks":["a","b","c"],"shared":{"x":0,"y":0,"p":{"l":0,"r":0}}}
{"t":"b","write":{"x":1,"p":{"l":1,"r":1}}}
{"t":"c","write":{"y":1}}
{"t":"b","write":{"x":0}}
`

func TestValueSets(t *testing.T) {
	net := santest.Read(t, shared)
	tests := []struct {
		src  string
		want lsl.Truth
	}{
		{"x >= 0 and y >= 0", isTrue},
		{"x + y <= 2", isTrue},
		{"x + y < 2", isFalse},        // x = 1, y = 1
		{"x == y", isFalse},           // independent variables
		{"x == x", isTrue},            // one variable has one value at a time
		{"p.l == p.r", isTrue},        // fields of one variable change together
		{"p.l == x", isFalse},         // different variables do not
		{"1 / x >= 0", undef},         // x = 0
		{"x == 0 or x == 1", isFalse}, // each comparison fails for some value
	}
	for _, test := range tests {
		if got, _ := eval(t, net, test.src, "a", 0, lsl.L3); got != test.want {
			t.Errorf("%s: got %v, want %v", test.src, got, test.want)
		}
	}
	// In b:2 only b's last write of x is left.
	if got, _ := eval(t, net, "x == 0", "b", 2, lsl.L3); got != isTrue {
		t.Errorf("x == 0 in b:2 is %v", got)
	}
}

func TestTooManyCombinations(t *testing.T) {
	var b, sum strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["a","b"],"shared":{"v0":0`)
	for i := 1; i < 20; i++ {
		fmt.Fprintf(&b, `,"v%d":0`, i)
	}
	b.WriteString("}}\n")
	for i := range 20 {
		fmt.Fprintf(&b, `{"t":"b","write":{"v%d":1}}`+"\n", i)
		fmt.Fprintf(&sum, "v%d + ", i)
	}
	got, log := eval(t, santest.Read(t, b.String()), sum.String()+"0 >= 0", "a", 0, lsl.L3)
	if got != undef || log.GaveUp() == "" {
		t.Errorf("got %v, gave up %q", got, log.GaveUp())
	}
	got, log = eval(t, santest.Read(t, b.String()), "v0 + v1 >= 0", "a", 0, lsl.L3)
	if got != isTrue || log.GaveUp() != "" {
		t.Errorf("got %v, gave up %q", got, log.GaveUp())
	}
}

func TestTroublesAreCountedByPosition(t *testing.T) {
	net := santest.Read(t, values)
	f := lsl.Compile(net, local(t, "i / 0 == 1 or s > 1 and list[9] == 0"), lsl.L3)
	var log lsl.Log
	w := net.Walk(0)
	f.Eval(w.State(), &log) // nothing is visible yet
	w.Seek(1)
	f.Eval(w.State(), &log)
	f.Eval(w.State(), &log)
	want := []lsl.EvalError{
		{Pos: spec.Pos{Line: 1, Col: 6}, Expr: "i / 0", Reason: "divides by zero", Count: 2},
		{Pos: spec.Pos{Line: 1, Col: 20}, Expr: "s > 1", Reason: "compares a string with an integer", Count: 2},
		{Pos: spec.Pos{Line: 1, Col: 32}, Expr: "list[9]", Reason: "index out of range of a list of 3", Count: 2},
	}
	if d := cmp.Diff(want, log.EvalErrors()); d != "" {
		t.Error(d)
	}
}

// What a tracer could not read is as good as not visible, and no mistake of the specification.
func TestUnrecordedValues(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a"]}
{"t":"a","global":{"c.n":{"?":"nil"},"o":{"k":1}}}
`)
	w := net.Walk(0)
	w.Seek(1)
	for _, src := range []string{"c.n == 1", "c.n != null", "c.n == c.n", "len(c.n) == 0"} {
		f := lsl.Compile(net, local(t, src), lsl.L3)
		var log lsl.Log
		if got := f.Eval(w.State(), &log); got != lsl.Undefined || len(log.EvalErrors()) > 0 {
			t.Errorf("%s: %v, errors %v", src, got, log.EvalErrors())
		}
		if why := f.Explain(w.State()); why.Reason != "c.n was not recorded (nil)" {
			t.Errorf("%s: reason %q", src, why.Reason)
		}
	}
	if got, _ := eval(t, net, "o.k == 1", "a", 1, lsl.L3); got != lsl.True {
		t.Errorf("an ordinary object: %v", got)
	}
}

func TestExplain(t *testing.T) {
	net := santest.Read(t, shared+`{"t":"b","global":{"z":{"k":7}}}`+"\n")
	w := net.Walk(1)
	w.Seek(3)
	why := lsl.Compile(net, local(t, "not (y == 1) and (missing > 0 or z.k == x + 7)"), lsl.L3).Explain(w.State())
	var lines []string
	var walk func(indent string, y *lsl.Explanation)
	walk = func(indent string, y *lsl.Explanation) {
		line := indent + spec.FormatLocal(y.Source) + ": " + y.Truth.String()
		for _, l := range y.Looked {
			line += fmt.Sprintf(" %s=%d", l.Name, len(l.Values))
		}
		if y.Reason != "" {
			line += " (" + y.Reason + ")"
		}
		lines = append(lines, line)
		for _, p := range y.Parts {
			walk(indent+"  ", p)
		}
	}
	walk("", why)
	want := []string{
		"not y == 1 and (missing > 0 or z.k == x + 7): true",
		"  not y == 1: true",
		"    y == 1: false y=2",
		"  missing > 0 or z.k == x + 7: true",
		"    missing > 0: undefined missing=0 (missing is not visible)",
		"    z.k == x + 7: true z.k=1 x=1",
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Error(d)
	}
}

func TestParseLogic(t *testing.T) {
	for _, l := range []lsl.Logic{lsl.L3, lsl.Frey96} {
		if got, ok := lsl.ParseLogic(l.String()); !ok || got != l {
			t.Errorf("%v reads as %v, %v", l, got, ok)
		}
	}
	if _, ok := lsl.ParseLogic("l4"); ok {
		t.Error("l4 is a dialect")
	}
}
