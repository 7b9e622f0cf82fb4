package tlcheck_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestQuantifiedBelow compares sets and witnesses of quantifiers above and below temporal
// operators, which unite a down-set for each task, with enumeration.
func TestQuantifiedBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 12}).MustBuild()
		for range 10 {
			text := rapid.Custom(quantifiedBelow).Draw(t, "formula")
			f := property(t, text).Formula
			for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
				rows := table(t, net, f, logic)
				compareSets(t, net, f, logic, rows)
				compareWitness(t, net, f, logic, rows)
			}
		}
	})
}

// quantifiedBelow draws a formula with a quantifier right above or right below a temporal operator.
func quantifiedBelow(t *rapid.T) string {
	atom := rapid.SampledFrom([]string{"in.f", "not in.f", "start.f", "x == 1", "not in.g", "x > 0 and in.f"})
	body := "u:(" + atom.Draw(t, "atom") + ")"
	if rapid.IntRange(0, 3).Draw(t, "of two") == 0 {
		body = rapid.SampledFrom([]string{"t1", "u"}).Draw(t, "other") + ":(" + atom.Draw(t, "other atom") + ") and " +
			body
	}
	quantifier := rapid.SampledFrom([]string{"exists", "exists", "forall"}).Draw(t, "quantifier") + " u "
	operator := rapid.SampledFrom([]string{"sometime", "eventually", "always", "henceforth"}).Draw(t, "operator") + " "
	text := quantifier + "(" + operator + "(" + body + "))"
	if rapid.Bool().Draw(t, "below") {
		text = operator + "(" + quantifier + "(" + body + "))"
	}
	switch rapid.IntRange(0, 3).Draw(t, "layer") {
	case 0:
		text = "not (" + text + ")"
	case 1:
		text = "t1:(" + atom.Draw(t, "premise") + ") -> " + text
	case 2:
		text = "sometime (" + text + ")"
	}
	return text
}

// What some of thousands of tasks do later is decided in a second. With sets that are compared
// pairwise it takes minutes.
func TestThousandsBelow(t *testing.T) {
	n := 20_000
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		n = 2_000
	}
	net, err := workload.Config{Pattern: workload.Independent, Variant: workload.Violated, Tasks: n, Events: 10,
		Seed: 1}.Net()
	if err != nil {
		t.Fatal(err)
	}
	const last = 5 // the action of each task that ends its only state with c
	for _, test := range []struct {
		formula     string
		first, most int // actions
	}{
		{"sometime exists t (t:(c))", last * n, 10 * n},
		{"eventually exists t (t:(c))", last * n, 10 * n},
		{"exists t (sometime t:(c))", last * n, 10 * n},
		{"exists t (eventually t:(c))", last * n, 10 * n},
		{"not always forall t (t:(not c))", last * n, 10 * n},
		{"not henceforth forall t (t:(not c))", last * n, 10 * n},
		{"not sometime exists t (t:(c))", 0, 10*n - 7},
		{"not eventually exists t (t:(c))", 0, 10*n - 6},
		{"always forall t (t:(not c))", 0, 10*n - 7},
		{"henceforth forall t (t:(not c))", 0, 10*n - 6},
	} {
		for _, greatest := range []bool{false, true} {
			want := test.first
			if greatest {
				want = test.most
			}
			r := check(t, net, test.formula, tlcheck.Options{Last: greatest, Time: 15 * time.Second})
			if r.Verdict != tlcheck.Violated || r.Covered != "" || r.Witness.Slice.Size() != want {
				t.Errorf("%s, the last one: %v: %v %s", test.formula, greatest, r.Verdict, r.Covered)
			} else if r.Witness.Reason == nil {
				t.Errorf("%s: no reason", test.formula)
			}
		}
	}
}

// The reason of a violation leads to the nearest slice in which some task is so, which need not be
// the first task, nor be later.
func TestNearestBelow(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a","b"]}
{"t":"a"}
{"t":"a","enter":"f"}
{"t":"b","enter":"f"}
`)
	for formula, want := range map[string]int{
		"initially: not sometime exists t (t:(in.f))":       1,
		"initially: not eventually exists t (t:(in.f))":     1,
		"t1:(in.f) -> not eventually exists t (t:(in.f))":   0,
		"t1:(in.f) -> not sometime exists t (t:(start.f))":  1,
		"initially: not eventually exists t (t:(not in.f))": 0,
	} {
		r := check(t, net, formula, tlcheck.Options{})
		if r.Witness == nil {
			t.Fatalf("%s: %v", formula, r.Verdict)
		}
		later := r.Witness.Reason
		for len(later.Parts) > 0 {
			if _, ok := later.Source.(*spec.Future); ok {
				break
			}
			later = later.Parts[len(later.Parts)-1]
		}
		if len(later.Parts) != 1 || len(later.Parts[0].Path) != want {
			t.Errorf("%s: %d parts of %s, want one %d actions later", formula, len(later.Parts),
				spec.Format(later.Source), want)
		}
	}
}
