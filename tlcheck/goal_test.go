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

// TestGoals compares sets and witnesses of until and before of two conjunctions, which are searched
// case by case.
func TestGoals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 12}).MustBuild()
		atoms := rapid.SampledFrom([]string{"in.f", "in.g", "start.f", "term.f or start.g", "x == 1", "x > 0 and in.f",
			"not in.f", "not start.g"})
		tivs := rapid.SampledFrom([]string{"t1", "t2", "t3"})
		atom := func() string { return tivs.Draw(t, "tiv") + ":(" + atoms.Draw(t, "atom") + ")" }
		for range 30 {
			parts := []string{atom(), atom()}
			switch rapid.IntRange(0, 6).Draw(t, "third") {
			case 0:
				parts = append(parts, atom())
			case 1:
				parts = append(parts, "next "+atom())
			case 2:
				parts[0] = "(" + parts[0] + " if t1 != t3)"
			case 3:
				parts[1] = "forall u (u:(" + atoms.Draw(t, "of all") + "))"
			}
			goal, left := "("+strings.Join(parts, " and ")+")", atom()
			for range rapid.IntRange(0, 2).Draw(t, "left") {
				left += " and " + atom()
			}
			if rapid.IntRange(0, 3).Draw(t, "alone") == 0 {
				goal = atom()
			}
			text := fmt.Sprintf(rapid.SampledFrom([]string{
				"(%[2]s until %[1]s)", "(%[2]s until %[1]s)", "(%[2]s before %[1]s)", "next (%[2]s until %[1]s)",
				"(%[2]s until %[1]s) and next %[2]s",
				"((%[2]s until %[1]s) until %[2]s)", "(%[2]s until (%[2]s until %[1]s))",
				"sometime (%[2]s until %[1]s)", "(not %[2]s before %[1]s)",
			}).Draw(t, "operator"), goal, "("+left+")")
			if rapid.IntRange(0, 3).Draw(t, "negated") > 0 {
				text = "not (" + text + ")"
			}
			for range rapid.IntRange(0, 2).Draw(t, "premises") {
				text = atom() + " -> (" + text + ")"
			}
			if rapid.IntRange(0, 2).Draw(t, "conditional") == 0 {
				is := rapid.SampledFrom([]string{"%s == %s", "%s != %s", "%s == caller(%s)"}).Draw(t, "is")
				text = "(" + text + ") if " + fmt.Sprintf(is, tivs.Draw(t, "one"), tivs.Draw(t, "other"))
			}
			f := property(t, text).Formula
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
			rows := table(t, net, f, logic)
			compareSets(t, net, f, logic, rows)
			for _, last := range []bool{false, true} {
				compareFirst(t, net, &spec.Property{Formula: f}, logic, last, rows)
			}
		}
	})
}

// A premise may be true only before the left side of the until begins to be.
func TestPremiseBeforeEntry(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a"]}
{"t":"a","global":{"x":0}}
{"t":"a","enter":"f"}
{"t":"a","global":{"x":1}}
`)
	r := check(t, net, "t2:(not in.f) -> not (t1:(in.f) until (t1:(in.f) and t2:(x == 1)))", tlcheck.Options{})
	if got := witnessText(net, r.Witness); got != "a:1|t1=a,t2=a" {
		t.Errorf("%v in %q", r.Verdict, got)
	}
}

// Goals of several task variables are decided over a hundred tasks, whose assignments are
// too many to try one by one.
func TestGoalsOfManyTasks(t *testing.T) {
	tasks := 100
	if testing.Short() { // the race detector makes it slow
		tasks = 20
	}
	for _, p := range workload.Patterns() {
		for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
			net, err := workload.Config{Pattern: p, Variant: v, Tasks: tasks, Events: 60, Seed: 1}.Net()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{
				"t1:(a) -> (t2:(b) until (t3:(c) and t1:(d)))", "t1:(a) -> not (t2:(b) until (t3:(c) and t1:(d)))",
				"not (t1:(a) until (t2:(b) and t3:(c)))",
				"t1:(a) -> not ((t2:(b) and t3:(c)) until t1:(d))", "not ((t2:(b) and t3:(c)) until t1:(d))",
				"t1:(a) -> not (t2:(b) until (t3:(c) and t2:(d)))",
			} {
				r := check(t, net, f, tlcheck.Options{})
				if r.Verdict == tlcheck.Unknown || r.Covered != "" {
					t.Errorf("%v, %v: %s: %v, %s", p, v, f, r.Verdict, r.Covered)
				}
			}
		}
	}
}
