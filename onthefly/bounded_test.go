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
		length = 80_000
	}
	for _, formula := range formulas {
		run := workload.Shifts{Workers: 8, Seed: 1}
		p, err := spec.ParseFormula(formula)
		if err != nil {
			t.Fatal(err)
		}
		c, err := onthefly.New(run.Header(), []*spec.Property{p}, lsl.L3)
		if err != nil {
			t.Fatal(err)
		}
		c.SetPatience(1000)
		n, events, tasks, intervals := 0, 0, 0, 0
		err = run.Each(length, func(e *event.Event) error {
			if err := c.Add(e, ""); err != nil {
				return err
			}
			if n++; n%500 == 0 {
				if len(must(c.Step(context.Background()))) > 0 {
					t.Fatalf("%s is violated", formula)
				}
				events, tasks, intervals = max(events, c.Net().Events()), max(tasks, c.Net().Tasks()), max(intervals, c.OpenIntervals())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if found, net := closed(c); len(found) > 0 || net.Lost() < int64(length-50_000) {
			t.Errorf("%s: %d violations, %d events forgotten", formula, len(found), net.Lost())
		}
		t.Logf("at most %d events, %d tasks, %d pieces", events, tasks, intervals)
		if events > 40_000 || tasks > 60 || intervals > 2000 {
			t.Errorf("%s: %d events, %d tasks and %d pieces are kept", formula, events, tasks, intervals)
		}
	}
}

// TestIdle follows a run with a task that never hears of anything: then the net is condensed, and what is kept are not more and more rows
// and tasks that come and go.
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
			events, tasks, intervals = max(events, c.Net().Events()), max(tasks, c.Net().Tasks()), max(intervals, c.OpenIntervals())
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
