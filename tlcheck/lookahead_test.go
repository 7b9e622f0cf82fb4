package tlcheck_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestConjunctionsBelow compares witnesses of temporal operators over conjunctions of several task
// variables, which are searched with bounds at some distance and with projections.
func TestConjunctionsBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10}).MustBuild()
		atoms := rapid.SampledFrom([]string{"in.f", "in.g", "start.f", "term.f or start.g", "x == 1", "x > 0 and in.f",
			"not in.f"})
		tivs := rapid.SampledFrom([]string{"t1", "t2", "t3"})
		atom := func() string { return tivs.Draw(t, "tiv") + ":(" + atoms.Draw(t, "atom") + ")" }
		conjunction := func() string {
			parts := []string{atom(), atom()}
			switch rapid.IntRange(0, 5).Draw(t, "third") {
			case 0:
				parts = append(parts, atom())
			case 1:
				parts = append(parts, "next "+atom())
			case 2:
				parts = append(parts, "sometime ("+atom()+" and "+atom()+")")
			case 3:
				parts[0] = "(" + parts[0] + " if t1 != t2)"
			}
			return "(" + strings.Join(parts, " and ") + ")"
		}
		for range 10 {
			text := rapid.SampledFrom([]string{
				"next %[1]s", "next^2 %[1]s", "next^3 %[1]s", "sometime %[1]s", "(next %[1]s and next^2 %[2]s)",
				"(%[1]s until %[3]s)", "(%[1]s until %[2]s)", "(%[3]s until %[2]s)",
				"(%[1]s before %[2]s)", "(%[3]s before %[1]s)", "next (%[1]s until %[3]s)",
				"(next^3 %[3]s and %[1]s until %[4]s)", "(next^2 %[1]s and %[3]s until %[4]s)",
				"(next^2 %[3]s and sometime %[4]s)", "(next^3 %[4]s and eventually %[1]s)",
				"(next %[3]s and next %[4]s)", "(next %[1]s and next %[2]s)", "(next^2 %[3]s and next %[4]s)",
				"(next (%[3]s and next %[4]s) and next^2 %[1]s)",
			}).Draw(t, "operator")
			text = fmt.Sprintf(text, conjunction(), conjunction(), atom(), atom())
			if rapid.Bool().Draw(t, "negated") {
				text = "not " + text
			}
			for range rapid.IntRange(0, 2).Draw(t, "premises") {
				text = atom() + " -> (" + text + ")"
			}
			if rapid.IntRange(0, 3).Draw(t, "conditional") == 0 {
				is := rapid.SampledFrom([]string{"%s == %s", "%s != %s", "%s == caller(%s)"}).Draw(t, "is")
				text = "(" + text + ") if " + fmt.Sprintf(is, tivs.Draw(t, "one"), tivs.Draw(t, "other"))
			}
			f := property(t, text).Formula
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
			rows := table(t, net, f, logic)
			for _, last := range []bool{false, true} {
				compareFirst(t, net, &spec.Property{Formula: f}, logic, last, rows)
			}
		}
	})
}

// Conjunctions below temporal operators are decided over a hundred tasks, whose assignments
// are too many to try one by one.
func TestConjunctionsBelowOfManyTasks(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	for _, p := range workload.Patterns() {
		for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
			net, err := workload.Config{Pattern: p, Variant: v, Tasks: 100, Events: 60, Seed: 1}.Net()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{
				"not (t1:(a) and next (t2:(b) and t3:(c)))", "t1:(a) -> not next^5 (t2:(b) and t3:(c))",
				"t1:(a) -> ((t2:(b) and t3:(c)) until t1:(d))",
			} {
				r := check(t, net, f, tlcheck.Options{})
				if r.Verdict == tlcheck.Unknown || r.Covered != "" {
					t.Errorf("%v, %v: %s: %v, %s", p, v, f, r.Verdict, r.Covered)
				}
			}
		}
	}
}
