package spec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// sameFormula compares formulas without their positions.
var sameFormula = cmp.Options{
	cmpopts.IgnoreTypes(spec.Pos{}),
	cmp.Comparer(func(a, b event.Value) bool {
		return a == b // scalars only; a NaN cannot be written
	}),
}

var wideWords = spectest.Words{
	TIVs:      []string{"t", "t'", "t''", "T_1", "nexts"},
	Functions: []string{"f", "Queue.append", "next", "(*Q).put", "a\"b", "main.func1", "x y", "é", "t'"},
	Variables: [][]string{{"x"}, {"b", "last"}, {"next", "if", "not"}, {"in"}, {"true", "x"}, {"größe"}},
	Previous:  [][]string{{"x"}, {"b", "last"}},
	Full:      true, Depth: 4,
}

func TestFormatThenParseIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := spectest.Formula(wideWords).Draw(t, "f")
		text := spec.Format(f)
		p, err := spec.ParseFormula(text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		if d := cmp.Diff(f, p.Formula, sameFormula); d != "" {
			t.Fatalf("%s\n%s", text, d)
		}
	})
}

func TestFormatUsesFewParentheses(t *testing.T) {
	tests := []struct{ in, want string }{
		{"((t:(x)))", "t:(x)"},
		{"(t:(x) and t:(y)) and t:(z)", "(t:(x) and t:(y)) and t:(z)"},
		{"t:(x) and (t:(y) or t:(z)) or t:(w)", "t:(x) and (t:(y) or t:(z)) or t:(w)"},
		{"not(t1:(in.f) and t2:(in.f)) if t1!=t2 and t1 == caller(t2)",
			"not (t1:(in.f) and t2:(in.f)) if t1 != t2 and t1 == caller(t2)"},
		{"(t:(a) -> t:(b)) -> t:(c) implies t:(d)", "(t:(a) -> t:(b)) -> t:(c) -> t:(d)"},
		{"next ^ 3 (not t:(a))", "next^3 not t:(a)"},
		{"(next t:(a)) until (t:(b) until t:(c))", "next t:(a) until (t:(b) until t:(c))"},
		{"t:((((a)+(b))*c) - (d-e) == (not_x))", "t:((a + b) * c - (d - e) == not_x)"},
		{"t:(not (a == b) and (not c or d))", "t:(not a == b and (not c or d))"},
		{"t:(-(5) == -5 and - -x == (-x).y)", "t:(-(5) == -5 and --x == (-x).y)"},
		{`t:(in."Q.put" and in."(*Q).put")`, `t:(in.Q.put and in."(*Q).put")`},
		{"(t:(a) if t == u) if u != v", "(t:(a) if t == u) if u != v"},
		{"exists t ((t:(a)))", "exists t (t:(a))"},
		{`t:(s == "a\tb" and x[i+1].f[0] == null)`, `t:(s == "a\tb" and x[i + 1].f[0] == null)`},
		{"t:(0x10 == 16 and 1e3 == 1000.0 and 18446744073709551615 > -9223372036854775808)",
			"t:(16 == 16 and 1000.0 == 1000.0 and 18446744073709551615 > -9223372036854775808)"},
	}
	for _, test := range tests {
		p, err := spec.ParseFormula(test.in)
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		if got := spec.Format(p.Formula); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

// The beginning of a formula is where the whole begins, and long ones end early.
func TestBeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := spectest.Formula(wideWords).Draw(t, "formula")
		whole, most := spec.Format(f), rapid.IntRange(1, 40).Draw(t, "bytes")
		begins := spec.Beginning(f, most)
		if n := min(most, len(whole)); len(begins) < n || begins[:n] != whole[:n] {
			t.Fatalf("%q begins with %q", whole, begins)
		}
	})
	var f spec.Formula = &spec.Atom{TIV: "t", Local: &spec.Predicate{Phase: spec.AnyPhase, Func: "f"}}
	for range 1000 {
		f = &spec.Future{Op: spec.Next, K: 1, X: f}
	}
	if got := spec.Beginning(f, 12); len(got) > 20 {
		t.Errorf("%d bytes, though 12 were enough", len(got))
	}
}
