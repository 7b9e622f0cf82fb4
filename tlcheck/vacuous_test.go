package tlcheck_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// drawUndecided draws a formula with predicates, and with expressions that are undefined in every
// net.
func drawUndecided(t *rapid.T, depth int) string {
	tiv := func() string { return rapid.SampledFrom([]string{"t", "u"}).Draw(t, "TIV") }
	part := func() string { return "(" + drawUndecided(t, depth-1) + ")" }
	switch kind := rapid.IntRange(0, 10).Draw(t, "kind"); {
	case depth == 0 || kind < 2:
		local := rapid.SampledFrom([]string{
			"in.f", "in.g", "nowhere > 1", `1 < "a"`, "in.f -> nowhere > 1", `not (in.g and 1 < "a")`,
			"in.f or nowhere > 1",
		})
		return tiv() + ":(" + local.Draw(t, "local") + ")"
	case kind < 4:
		return "not " + part()
	case kind < 6:
		return part() +
			rapid.SampledFrom([]string{" and ", " or ", " -> ", " until ", " before "}).Draw(t, "connective") + part()
	case kind < 8:
		return part() + " -> " + part()
	case kind == 8:
		return rapid.SampledFrom([]string{"forall ", "exists "}).Draw(t, "quantifier") + tiv() + " " + part()
	case kind == 9:
		return rapid.SampledFrom([]string{"next ", "all_next^2 ", "sometime ", "always ", "eventually ",
			"henceforth "}).Draw(t, "operator") + part()
	}
	return part() + rapid.SampledFrom([]string{" if t != u", " if t == caller(u)"}).Draw(t, "condition")
}

// A property that is vacuous in one run is false nowhere in any run in which the same expressions
// are undefined.
func TestVacuousInAnyRun(t *testing.T) {
	drawNet := func(t *rapid.T) *san.Net {
		return santest.Generate(santest.Rapid(t), santest.Config{Steps: 8}).MustBuild()
	}
	vacuous, held := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawUndecided(t, 3)
		parsed, err := spec.ParseFormula(text)
		if err != nil {
			t.Skip() // an if inside
		}
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			r, err := tlcheck.Check(t.Context(), drawNet(t), parsed, tlcheck.Options{Logic: logic})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case r.Vacuous == "":
				held++
				continue
			case r.Verdict != tlcheck.Holds:
				t.Fatalf("%s: %v, and vacuous", text, r.Verdict)
			}
			vacuous++
			for range 5 {
				for _, row := range table(t, drawNet(t), parsed.Formula, logic) {
					if row.value == lsl.False {
						t.Fatalf("%v %s: vacuous (%s), and false in another run", logic, text, r.Vacuous)
					}
				}
			}
		}
	})
	if vacuous == 0 || held == 0 {
		t.Errorf("%d vacuous, %d not", vacuous, held)
	}
}

// What is called vacuous, and what is not, where x is an integer, s a text, and both are seen
// somewhere.
func TestVacuous(t *testing.T) {
	const nowhere = "n > 1 is neither true nor false in any local state (n is never visible)"
	const mixed = "s < 1 is neither true nor false in any local state (compares a string with an integer)"
	const sum = "x + n == 0 is neither true nor false in any local state (n is never visible)"
	const apart = "m > x is neither true nor false in any local state (its variables are never visible at the same time)"
	net := santest.Read(t, `{"antichain":1,"tasks":["a","b"]}
{"t":"a","enter":"f","set":{"x":1,"s":"q"}}
{"t":"a","exit":"f"}
{"t":"b","global":{"x":1}}
{"t":"a","enter":"h","set":{"m":1}}
`)
	for _, test := range []struct{ formula, l3, frey96 string }{
		{"t:(n > 1)", nowhere, nowhere},
		{"t:(s < 1)", mixed, mixed},
		{"not t:(n > 1)", nowhere, nowhere},
		{"t:(n > 1 or s < 1)", nowhere + ", " + mixed, nowhere + ", " + mixed},
		{"t:(n > 1) or u:(n > 1)", nowhere, nowhere},
		{"t:(in.f -> n > 1)", nowhere, nowhere},
		{"t:(in.f) -> t:(n > 1)", nowhere, nowhere},
		{"always t:(n > 1)", nowhere, nowhere},
		{"t:(in.f) -> not (exists u (u:(n > 1)))", nowhere, nowhere},
		{"t:(n > 1) if t != u", nowhere, nowhere},
		{"t:(s == \"q\" or x + n == 0)", sum, sum},
		{"t:(m > x)", apart, apart},

		{"t:(in.g) -> t:(in.f)", "", ""},
		{"t:(x > 0)", "", ""},
		{"t:(in.f -> s == \"q\")", "", ""},
		{"t:(in.g -> in.f and n > 1)", "", nowhere},
		{"not t:(in.g and (x < 0 or n > 1))", "", nowhere},
		{"t:(in.f or not in.f) and u:(n > 1)", "", ""},
		{"t:(n > 1) and (t:(in.f) or not t:(in.f))", "", nowhere},
		{"t:(in.g) -> sometime t:(n > 1)", "", ""},
	} {
		p, err := spec.ParseFormula(test.formula)
		if err != nil {
			t.Fatal(err)
		}
		for logic, want := range map[lsl.Logic]string{lsl.L3: test.l3, lsl.Frey96: test.frey96} {
			r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{Logic: logic})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.Verdict, " ", r.Vacuous); got != "holds "+want {
				t.Errorf("%v %s: %s, want %q", logic, test.formula, got, want)
			}
		}
	}
}
