package onthefly_test

import (
	"context"
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// TestRecentSlices compares what is found where formulas are evaluated in slices that may be
// decided newly with what is if they are in all of them, in each version.
func TestRecentSlices(t *testing.T) {
	violated, late := 0, 0
	compare := func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		trace := santest.Generate(source, santest.Config{
			Steps: rapid.IntRange(10, 50).Draw(t, "steps"), Tasks: 2, Spawns: 4, Ends: 5,
			Causes: rapid.SampledFrom([]int{40, 80, 95}).Draw(t, "causes"),
			Joints: rapid.SampledFrom([]int{0, 10}).Draw(t, "joints"),
		})
		if rapid.Bool().Draw(t, "shuffled") {
			trace = trace.Shuffle(source)
		}
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		prop := ahead(t)
		all, recent := checker(t, trace, prop, logic), checker(t, trace, prop, logic)
		all.Everywhere()
		last := map[string]int{}
		for n, e := range trace.Events {
			last[e.Task] = n
		}
		for n, e := range trace.Events {
			for _, c := range []*onthefly.Checker{all, recent} {
				if err := c.Add(e, ""); err != nil {
					t.Fatal(err)
				}
			}
			switch rapid.IntRange(0, 9).Draw(t, "then") {
			case 0:
				if last[e.Task] == n {
					all.End(e.Task)
					recent.End(e.Task)
				}
			case 1:
				w := snapshot.NewWriter()
				recent.Snapshot(w)
				var err error
				if recent, err = onthefly.Restore(snapshot.NewReader(w.Bytes()), []*spec.Property{prop},
					logic); err != nil {
					t.Fatal(err)
				}
			case 2, 3, 4, 5:
				want, got := summary(must(all.Step(context.Background()))), summary(must(recent.Step(context.Background())))
				if (want == "") != (got == "") {
					t.Fatalf("%v %s after %d events: %q, of recent slices %q\n%v", logic, spec.Format(prop.Formula),
						n+1, want, got, trace)
				}
				if want != "" {
					if violated++; n > 15 {
						late++
					}
					return
				}
			}
		}
		want, _ := closed(all)
		got, _ := closed(recent)
		if len(want) != len(got) {
			t.Fatalf("%v %s in the end: %v, of recent slices %v\n%v", logic, spec.Format(prop.Formula), want, got,
				trace)
		}
	}
	enough := func() bool { return testing.Short() || violated >= 10 && late >= 3 }
	rapidtest.CheckUntil(t, enough, compare) // late ones are few
	if !enough() {
		t.Errorf("only %d violations, %d of them late", violated, late)
	}
}

// ahead draws a property whose negation is about all slices some steps ahead.
func ahead(t *rapid.T) *spec.Property {
	atoms := rapid.SampledFrom([]string{"start.f and x == 1", "start.g", "term.f", "not in.f", "x == 1",
		"in.g and y == 2", "not (x == 2)", "in.f"})
	text := rapid.SampledFrom([]string{
		"A -> next B", "A -> next A", "(A -> next B) if t1 != t2", "A -> next^2 B", "A -> next (B or next A)",
		"A -> next next^2 B",
		"not all_next A", "A -> not all_next B", "A -> not all_next^2 (A and B)", "A -> next (B and not next A)",
		"A -> not all_next next B",
		"A -> (next B or next^3 A)", "(A -> next B) if t1 == caller(t2)", "A -> next not all_next B",
	}).Draw(t, "shape")
	return propertyOf(t, text, func(tiv string) string { return tiv + ":(" + atoms.Draw(t, "atom") + ")" })
}
