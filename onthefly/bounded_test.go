package onthefly_test

import (
	"context"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestBounded follows a long run with tasks that come and go: what is kept of it does not grow.
func TestBounded(t *testing.T) {
	formulas := append([]string{
		"(t1:(in.critical) -> (t1:(not in.critical) before t2:(in.critical))) if t1 != t2",
		"initially: (t1:(start.critical) before t1:(in.unlock))",
		"always not t:(in.critical and in.unlock)",
		"not (t1:(in.critical) and t2:(start.unlock) and t3:(start.critical))",
	}, workload.ShiftFormulas...)
	length := 200_000
	if testing.Short() { // the race detector makes it slow
		length = 60_000
	}
	formulas = append(formulas,
		"(t1:(in.critical) -> next (t2:(in.critical or not in.critical))) if t1 == t2",
		"(t1:(in.critical) -> ((t1:(in.unlock) or t3:(in.nothing)) before t2:(in.critical))) if t1 != t2 and t1 == t3",
		"(t1:(in.critical) -> (t3:(in.unlock) before t2:(in.critical))) if t1 != t2 and t1 == t3",
	)
	for _, formula := range formulas {
		run := workload.Shifts{Workers: 8, Seed: 1}
		k := follows(t, run.Header(), formula, func(do func(*event.Event) error) error { return run.Each(length, do) })
		if k.lost < int64(length-50_000) || k.events > 40_000 || k.tasks > 60 || k.intervals > 2000 {
			t.Errorf("%s: %+v", formula, k)
		}
	}
}

// TestBoundedRing follows long runs of tasks that hear of each other all the time, with formulas
// that are about several tasks and later slices.
func TestBoundedRing(t *testing.T) {
	length := 30_000
	if testing.Short() {
		length = 6_000
	}
	for _, formula := range []string{
		"t1:(c) -> next t2:(not a)",
		"t1:(a) -> ((t1:(b) and t2:(b)) before (t2:(c) and t3:(c)))",
		"t1:(a) -> ((t1:(b) or t2:(b)) before (t2:(c) and t3:(d)))",
		"not (t1:(a) and ((t1:(not b) and t2:(not b)) until (t2:(c) and t3:(c))))",
	} {
		run := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: 10, Events: length / 10, Seed: 1}
		if k := follows(t, run.Header(), formula, run.Each); k.lost < int64(length-5000) || k.events > 4000 ||
			k.intervals > 1500 {
			t.Errorf("%s: %+v", formula, k)
		}
	}
}

// retained is what a checker kept of a run at most, and how many events it had forgotten in the
// end.
type retained struct {
	events, tasks, intervals int
	lost                     int64
}

// follows checks a run that fulfils a formula.
func follows(t *testing.T, h *event.Header, formula string, each func(func(*event.Event) error) error) (k retained) {
	t.Helper()
	p, err := spec.ParseFormula(formula)
	if err != nil {
		t.Fatal(err)
	}
	c, err := onthefly.New(h, []*spec.Property{p}, lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	c.SetPatience(1000)
	n := 0
	err = each(func(e *event.Event) error {
		if err := c.Add(e, ""); err != nil {
			return err
		}
		if n++; n%500 == 0 {
			if len(must(c.Step(context.Background()))) > 0 {
				t.Fatalf("%s is violated", formula)
			}
			k.events, k.tasks, k.intervals = max(k.events, c.Net().Events()), max(k.tasks, c.Net().Tasks()),
				max(k.intervals, c.OpenIntervals())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found, net := closed(c)
	if len(found) > 0 {
		t.Errorf("%s is violated", formula)
	}
	k.lost = net.Lost()
	t.Logf("%s: %+v", formula, k)
	return k
}

// TestIdle follows a run with a task that never hears of anything: then the net is condensed, and
// what is kept are not more and more rows and tasks that come and go.
func TestIdle(t *testing.T) {
	run := workload.Shifts{Workers: 8, Seed: 1, Idle: true}
	p, err := spec.ParseFormula(workload.ShiftFormulas[0])
	if err != nil {
		t.Fatal(err)
	}
	c, err := onthefly.New(run.Header(), []*spec.Property{p}, lsl.L3)
	if err != nil {
		t.Fatal(err)
	}
	c.SetPatience(1000)
	n, events, tasks, intervals := 0, 0, 0, 0
	err = run.Each(200_000, func(e *event.Event) error {
		if n++; n%500 == 0 {
			if len(must(c.Step(context.Background()))) > 0 {
				t.Fatal("violated")
			}
			events, tasks, intervals = max(events, c.Net().Events()), max(tasks, c.Net().Tasks()),
				max(intervals, c.OpenIntervals())
		}
		return c.Add(e, "")
	})
	if err != nil {
		t.Fatal(err)
	}
	if tasks > 100 || intervals > 50 || events > 10_000 {
		t.Errorf("%d sets of slices and %d events are kept of %d tasks", intervals, events, tasks)
	}
}
