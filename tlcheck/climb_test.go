package tlcheck_test

import (
	"context"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestQuantified compares witnesses of formulas with quantifiers at the top, which are searched
// slice by slice.
func TestQuantified(t *testing.T) {
	inner := words
	inner.Depth = 2
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10}).MustBuild()
		for range 10 {
			f := quantified(t, spectest.Formula(inner))
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.L3, lsl.Frey96}).Draw(t, "logic")
			rows := table(t, net, f, logic)
			for _, last := range []bool{false, true} {
				r := compareFirst(t, net, &spec.Property{Formula: f}, logic, last, rows)
				if r.Witness != nil && !last {
					checkParts(t, net, r.Witness.Reason, logic)
				}
				compareFirst(t, net, &spec.Property{Formula: f, Initially: true}, logic, last, rows)
			}
		}
	})
}

// quantified draws a formula that says something of all tasks, or of one, in one or two places.
func quantified(t *rapid.T, sub *rapid.Generator[spec.Formula]) spec.Formula {
	f := sub.Draw(t, "formula")
	for range rapid.IntRange(1, 3).Draw(t, "layers") {
		tiv := rapid.SampledFrom(words.TIVs).Draw(t, "bound")
		op := rapid.SampledFrom([]spec.QuantOp{spec.Exists, spec.Exists, spec.Forall}).Draw(t, "quantifier")
		switch rapid.IntRange(0, 5).Draw(t, "layer") {
		case 0:
			f = &spec.Not{X: f}
		case 1:
			f = &spec.Nary{Op: spec.Or, Xs: []spec.Formula{&spec.Not{X: sub.Draw(t, "premise")}, f}}
		case 2:
			f = &spec.Future{Op: rapid.SampledFrom([]spec.FutureOp{spec.Always, spec.Henceforth, spec.Sometime}).Draw(t,
				"future"), X: f}
		}
		f = &spec.Quant{Op: op, TIV: tiv, X: f}
	}
	return f
}

// That no task does something is decided at once for twenty tasks, although the intersection of
// their sets has an astronomical number of intervals.
func TestNoTaskOfTwenty(t *testing.T) {
	var nets []*san.Net
	for _, p := range workload.Patterns() {
		net, err := workload.Config{Pattern: p, Variant: workload.Violated, Tasks: 20, Events: 50, Seed: 1}.Net()
		if err != nil {
			t.Fatal(err)
		}
		nets = append(nets, net)
	}
	random := santest.Config{Tasks: 20, Steps: 1000, Ends: -1, Shared: []string{}}
	nets = append(nets, santest.Generate(rand.New(rand.NewSource(3)), random).MustBuild())
	for i, net := range nets {
		for _, f := range []string{
			"exists t (t:(a or in.f) until t:(b or in.g))", "exists t2 (t1:(a or in.f) and t2:(b or in.g))",
			"exists t (forall u (t:(a or in.f) or u:(b or x > 0)))",
			"always exists t (t:(a or in.f) until t:(b or in.g))",
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			r, err := tlcheck.Check(ctx, net, property(t, f), tlcheck.Options{})
			cancel()
			if err != nil || r.Verdict == tlcheck.Unknown || r.Covered != "" {
				t.Errorf("net %d: %s: %v", i, f, fmt.Sprint(r, err))
			}
		}
	}
}

// Where looking at a slice takes long, because of many tasks, and there are many ways up, small
// sets are still found at once.
func TestSmallSetsOfManyTasks(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	random := santest.Config{Tasks: 100, Steps: 300, Ends: -1, Shared: []string{}}
	net := santest.Generate(rand.New(rand.NewSource(1)), random).MustBuild()
	for _, f := range []string{
		"not forall t (exists u (t:(in.g -> term.g) and u:(in.f)))",
		"exists t (t:(not in.g) and t1:(x != 2)) -> forall t (exists u (t:(start.f) and u:(in.f -> in.f)))",
	} {
		for _, last := range []bool{false, true} {
			r, err := tlcheck.Check(t.Context(), net, property(t, f), tlcheck.Options{Last: last})
			if err != nil || r.Verdict == tlcheck.Unknown || r.Covered != "" {
				t.Errorf("%s: %v", f, fmt.Sprint(r, err))
			}
		}
	}
}

// A check in which already one slice takes long to look at, because of all pairs of tasks, ends
// when its time is up. Without looking at the time in between it takes half a minute.
func TestClimbInTime(t *testing.T) {
	net, err := workload.Config{Pattern: workload.Independent, Variant: workload.Violated, Tasks: 3_000, Events: 10,
		Seed: 1}.Net()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r := check(t, net, "exists t (forall u (t:(a) or u:(b)))", tlcheck.Options{Time: 2 * time.Second})
	if took := time.Since(start); r.Verdict != tlcheck.Unknown || took > 8*time.Second {
		t.Errorf("%v after %v", r.Verdict, took)
	}
}
