//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// monitor prints how many events a second are checked while they come in, beside the check of the
// same trace when it is complete.
func monitor(args []string) error {
	flags := selecting("monitor", "rows whose names match this `pattern`: \"4 boolean, 100 tasks\"")
	events := flags.Int("events", 1_000_000, "length of each trace; a twentieth where there are temporal operators")
	if err := flags.parse(args); err != nil {
		return err
	}
	if *events < 1000*workload.FullEvents {
		return fmt.Errorf("-events must be at least %d", 1000*workload.FullEvents)
	}
	fmt.Printf("Medians of %d, traces in the binary form, read from memory.\n\n", *flags.count)
	printed := monitorTable.start()
	flush(printed)
	return eachRow(monitorRows(*events), (*monitorRow).name, flags.pattern, func(r *monitorRow) error {
		cells, err := r.measure(*flags.count)
		if err != nil {
			return err
		}
		printed.add(cells...)
		flush(printed)
		return nil
	})
}

var monitorTable = table{"properties", "tasks", "events", "monitor: events/s", "check: events/s", "target", "met"}

// monitorRow is a run, and properties that hold in it, so that all of it is looked at.
type monitorRow struct {
	title    string // of the properties
	formulas []string
	config   workload.Config
	target   float64 // events/s, at least; 0 is no matter
}

func (r *monitorRow) name() string { return fmt.Sprintf("%s, %d tasks", r.title, r.config.Tasks) }

func monitorRows(events int) []monitorRow {
	mixed := []string{boolean(1)[0], "t1:(a) -> (t2:(b) before t3:(c))", "t1:(a) -> not next^5 t2:(c)"}
	var rows []monitorRow
	for _, tasks := range []int{10, 100, 1000} {
		c := workload.Config{Pattern: workload.Ring, Variant: workload.Holds, Tasks: tasks, Events: events / tasks, Seed: 1}
		for _, n := range []int{1, 4, 16} {
			r := monitorRow{title: fmt.Sprintf("%d boolean", n), formulas: boolean(n), config: c}
			if n == 1 && tasks == 100 {
				r.target = 500_000
			}
			rows = append(rows, r)
		}
		c.Events = max(c.Events/20, workload.FullEvents)
		rows = append(rows, monitorRow{title: "boolean, before and next^5", formulas: mixed, config: c})
	}
	return rows
}

// boolean returns up to 16 properties over two TIVs, each with other local formulas.
func boolean(n int) []string {
	more := []string{"", " and b", " and d", " and e"}
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("not (t1:(a%s) and t2:(c%s))", more[i%4], more[i/4]))
	}
	return all
}

func (r *monitorRow) measure(count int) ([]string, error) {
	var props []*spec.Property
	for _, f := range r.formulas {
		p, err := spec.ParseFormula(f)
		if err != nil {
			return nil, err
		}
		props = append(props, p)
	}
	var trace bytes.Buffer
	if err := r.config.WriteTrace(&trace); err != nil {
		return nil, err
	}
	events := r.config.Tasks * r.config.Events
	var speeds [2][]float64
	for range count {
		for i, check := range []func([]byte, []*spec.Property) error{whileItComes, whenComplete} {
			runtime.GC()
			begin := time.Now()
			if err := check(trace.Bytes(), props); err != nil {
				return nil, err
			}
			speeds[i] = append(speeds[i], float64(events)/time.Since(begin).Seconds())
		}
	}
	live, complete := median(speeds[0]), median(speeds[1])
	target, met := "-", ""
	if r.target > 0 {
		target, met = fmt.Sprintf("≥ %.0f", r.target), "no"
		if live >= r.target {
			met = "yes"
		}
	}
	return []string{r.title, fmt.Sprint(r.config.Tasks), fmt.Sprint(events), fmt.Sprintf("%.0f", live), fmt.Sprintf("%.0f", complete), target, met}, nil
}

// whileItComes checks a trace as the verb monitor does.
func whileItComes(trace []byte, props []*spec.Property) error {
	r, err := event.OpenStream(bytes.NewReader(trace), "trace")
	if err != nil {
		return err
	}
	outcomes, err := onthefly.Check(context.Background(), props, lsl.L3, r).Wait()
	if err != nil {
		return err
	}
	for _, o := range outcomes {
		if err := mustHold(o.Property, o.Verdict); err != nil {
			return err
		}
	}
	return nil
}

// whenComplete checks a trace as the verb check does.
func whenComplete(trace []byte, props []*spec.Property) error {
	net, err := readNet(bytes.NewReader(trace), "trace")
	if err != nil {
		return err
	}
	for _, p := range props {
		result, err := tlcheck.Check(context.Background(), net, p, tlcheck.Options{})
		if err != nil {
			return err
		}
		if err := mustHold(p, result.Verdict); err != nil {
			return err
		}
	}
	return nil
}

func mustHold(p *spec.Property, v tlcheck.Verdict) error {
	if v != tlcheck.Holds {
		return fmt.Errorf("%s: %v: the check or the workload is wrong", spec.FormatProperty(p), v)
	}
	return nil
}
