package onthefly_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// BenchmarkCheck checks runs in which the formulas hold, in versions of a thousand events. An
// operation is a run.
func BenchmarkCheck(b *testing.B) {
	for _, tasks := range []int{10, 100, 1000} {
		for _, formula := range []string{
			"not (t1:(a) and t2:(c))",
			"t1:(a) -> (t2:(b) before t3:(c))",
			"t1:(a) -> not next^5 t2:(c)",
		} {
			c := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: tasks, Events: 20_000 / tasks,
				Seed: 1}
			b.Run(fmt.Sprintf("%d tasks, %s", tasks, formula), func(b *testing.B) { benchmark(b, c, formula) })
		}
	}
}

// BenchmarkNext checks runs of more and more events in whose slices it matters what their
// successors are. An operation is a run.
func BenchmarkNext(b *testing.B) {
	for _, tasks := range []int{10, 100, 1000} {
		for _, events := range []int{50_000, 200_000} {
			c := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: tasks, Events: events / tasks,
				Seed: 1}
			b.Run(fmt.Sprintf("%d tasks, %d events", tasks, events),
				func(b *testing.B) { benchmark(b, c, "t1:(c) -> next t2:(not a)") })
		}
	}
}

// BenchmarkUntil checks runs of more and more events with until and before of combinations of local
// formulas of several tasks. An operation is a run.
func BenchmarkUntil(b *testing.B) {
	for _, formula := range []string{
		"t1:(a) -> ((t1:(b) and t2:(b)) before (t2:(c) and t3:(c)))",
		"not (t1:(a) and ((t1:(not b) and t2:(not b)) until (t2:(c) and t3:(c))))",
	} {
		for _, events := range []int{100_000, 1_000_000} {
			c := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: 10, Events: events / 10,
				Seed: 1}
			b.Run(fmt.Sprintf("%s, %d events", formula, events), func(b *testing.B) { benchmark(b, c, formula) })
		}
	}
}

func benchmark(b *testing.B, config workload.Config, formula string) {
	prop, err := spec.ParseFormula(formula)
	if err != nil {
		b.Fatal(err)
	}
	var trace bytes.Buffer
	if err := config.WriteTrace(&trace); err != nil {
		b.Fatal(err)
	}
	events, kept := 0, 0
	for b.Loop() {
		c, err := onthefly.New(config.Header(), []*spec.Property{prop}, lsl.L3)
		if err != nil {
			b.Fatal(err)
		}
		r, err := event.Open(bytes.NewReader(trace.Bytes()), "trace")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Header(); err != nil {
			b.Fatal(err)
		}
		events = 0
		var e event.Event
		for err = r.Next(&e); err == nil; err = r.Next(&e) {
			if err := c.AddFrom(&e, r); err != nil {
				b.Fatal(err)
			}
			if events++; events%1000 == 0 {
				must(c.Step(context.Background()))
				kept = max(kept, c.Net().Events())
			}
		}
		if !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
		if found, _ := closed(c); len(found) > 0 {
			b.Fatal("violated")
		}
	}
	b.ReportMetric(float64(b.N*events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(kept), "kept-events")
}

// BenchmarkRead checks a run that is there as a trace. An operation is a run.
func BenchmarkRead(b *testing.B) {
	c := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: 10, Events: 2000, Seed: 1}
	prop, err := spec.ParseFormula("not t:(not in.f and in.f)")
	if err != nil {
		b.Fatal(err)
	}
	var trace bytes.Buffer
	if err := c.WriteTrace(&trace); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := event.Open(bytes.NewReader(trace.Bytes()), "trace")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := onthefly.Check(b.Context(), []*spec.Property{prop}, lsl.L3, r).Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkViolations checks a run of 70,000 events that violates 20 properties, each at another
// time. An operation is a run; the metric kept-B is what its results keep from the collector.
func BenchmarkViolations(b *testing.B) {
	const count, apart, tasks = 20, 3_500, 10
	head := &event.Header{Version: 1}
	for t := range tasks {
		head.Tasks = append(head.Tasks, fmt.Sprintf("worker.%d", t))
	}
	var trace bytes.Buffer
	out := event.NewBinaryWriter(&trace, head)
	for i := range count * apart {
		e := event.Event{Task: head.Tasks[i%tasks], Op: "step", At: "worker.go:7",
			Set: []event.Binding{{Name: "x", Value: event.IntValue(int64(i))}}}
		if i >= tasks && i%3 == 0 {
			e.After = []event.Ref{{Task: head.Tasks[(i-1)%tasks], K: (i-1)/tasks + 1}}
		}
		if err := out.Write(&e); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	var props []*spec.Property
	for i := range count {
		prop, err := spec.ParseFormula(fmt.Sprintf("not t:(x == %d)", i*apart+apart/2))
		if err != nil {
			b.Fatal(err)
		}
		props = append(props, prop)
	}
	b.ReportAllocs()
	var kept uint64
	for b.Loop() {
		before := heap()
		r, err := event.Open(bytes.NewReader(trace.Bytes()), "trace")
		if err != nil {
			b.Fatal(err)
		}
		results, err := onthefly.Check(b.Context(), props, lsl.L3, r).Wait()
		if err != nil {
			b.Fatal(err)
		}
		kept = heap() - before
		for _, r := range results {
			if r.Verdict != tlcheck.Violated {
				b.Fatalf("%s: %v", r.Name(), r.Verdict)
			}
		}
	}
	b.ReportMetric(float64(kept), "kept-B")
}

// heap returns how many bytes are in use when all that is not is collected.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
