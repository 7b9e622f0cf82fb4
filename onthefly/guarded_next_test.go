package onthefly_test

import (
	"context"
	"math/rand"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestGuardedNext compares what is reported of next of local formulas, after each step, with what
// is if sets of slices are computed, which is done for formulas that are not local, and in the end
// with the check of the whole run. Some is forgotten, or nothing.
func TestGuardedNext(t *testing.T) { compareManySets(t, withNext) }

// compareManySets draws many runs and properties, among which there are violations, and runs that
// are forgotten in part.
func compareManySets(t *testing.T, draw func(*rapid.T) (local, sets *spec.Property)) {
	violated, late, partly := 0, 0, 0
	enough := func() bool { return testing.Short() || violated >= 10 && late > 0 && partly > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		for range 5 {
			v, l, p := compareSets(t, draw)
			violated, late, partly = violated+v, late+l, partly+p
		}
	})
	t.Logf("%d violations, %d of them when some was forgotten; %d runs forgotten in part", violated, late, partly)
	if !enough() {
		t.Errorf("only %d violations, %d of them when some was forgotten; %d runs forgotten in part", violated, late,
			partly)
	}
}

// compareSets draws a run, and a property with an equal one that is checked with sets of slices,
// and returns 1 if it is violated, if some was forgotten when that was found, and if some was in
// the end.
func compareSets(t *rapid.T, draw func(*rapid.T) (local, sets *spec.Property)) (violated, late, partly int) {
	source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
	trace := santest.Generate(source, santest.Config{
		Steps: rapid.IntRange(10, 60).Draw(t, "steps"), Tasks: 3,
		Spawns: rapid.SampledFrom([]int{0, 4, 15}).Draw(t, "spawns"),
		Ends:   5, Causes: rapid.SampledFrom([]int{40, 80, 95}).Draw(t, "causes"),
		Joints: rapid.SampledFrom([]int{0, 10}).Draw(t, "joints"),
	})
	if rapid.Bool().Draw(t, "shuffled") {
		trace = trace.Shuffle(source)
	}
	logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
	local, sets := draw(t)
	want, got := checker(t, trace, sets, logic), checker(t, trace, local, logic)
	got.SetPatience(rapid.SampledFrom([]int{0, 0, 0, 1 << 16}).Draw(t, "patience"))
	often := rapid.SampledFrom([]int{1, 3}).Draw(t, "often")
	for n, e := range trace.Events {
		for _, c := range []*onthefly.Checker{want, got} {
			if err := c.Add(e, ""); err != nil {
				t.Fatal(err)
			}
		}
		if rapid.IntRange(1, often).Draw(t, "step") > 1 {
			continue
		}
		if rapid.IntRange(0, 9).Draw(t, "move") == 0 {
			got = moved(t, got, got.Properties(), logic)
		}
		bySets, found := must(want.Step(context.Background())), must(got.Step(context.Background()))
		explained(t, got.Net(), found, logic)
		if len(bySets) != len(found) {
			t.Fatalf("%v %s after %d events: %s, by sets %s\n%v", logic, spec.Format(local.Formula), n+1, summary(found),
				summary(bySets), trace)
		}
		if len(found) > 0 {
			if violated = 1; !got.Net().BeginsWithRun() {
				late = 1
			}
		}
	}
	_, whole := closed(want)
	found, net := closed(got)
	explained(t, net, found, logic)
	r, err := tlcheck.Check(t.Context(), whole, local, tlcheck.Options{Logic: logic})
	if err != nil {
		t.Fatal(err)
	}
	if reported := violated > 0 || len(found) > 0; reported != (r.Verdict == tlcheck.Violated) {
		t.Fatalf("%v %s in the end: reported %v, check %v\n%v", logic, spec.Format(local.Formula), reported, r.Verdict,
			trace)
	}
	if !net.BeginsWithRun() {
		partly = 1
	}
	return violated, late, partly
}

// withNext draws a property with next of a local formula, and an equal one in which that is not
// local.
func withNext(t *rapid.T) (local, sets *spec.Property) {
	atoms := rapid.SampledFrom([]string{
		"start.f and x == 1", "start.g", "term.f", "not in.f", "x == 1", "in.g and y == 2", "not (x == 2)", "in.f",
		"not term.f", "not (x == 1 and y == 1)", "x == 3", "y == 3",
	})
	shape := rapid.SampledFrom([]string{
		"A -> next B", "A -> next B", "A -> next A", "(A -> next B) if t1 != t2", "(A -> next B) if t1 == caller(t2)",
		"(A -> next B) if t1 != caller(t2)", "(A -> next B) if t1 == t2", "(A -> next B) if t2 == caller(t1)",
		"A and C -> next B",
		"(A and C -> next B) if t1 != t3 and t2 != t3", "initially: A -> next B", "initially: next B", "next B",
		"(A or C) -> next B", "not A or next B or C", "forall t2 (A -> next B)",
		"not (A and not next B) and not (C and A)", "not (A and all_next B)",
	}).Draw(t, "shape")
	var drawn []string
	property := func(conditions string) *spec.Property {
		next := 0
		return propertyOf(t, strings.Replace(shape, "next B", "next (B"+conditions+")", 1), func(tiv string) string {
			if next == len(drawn) {
				drawn = append(drawn, tiv+":("+atoms.Draw(t, "atom")+")")
			}
			next++
			return drawn[next-1]
		})
	}
	return property(""), property(" if t2 == t2")
}
