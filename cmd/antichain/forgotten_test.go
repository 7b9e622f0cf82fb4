package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// A violation behind hundreds of thousands of events, most of which are forgotten, is reported with
// the numbers that events have in the run, and with who started the goroutines.
func TestMonitorForgets(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		property, err := spec.ParseFormula(workload.ShiftFormulas[0])
		if err != nil {
			t.Fatal(err)
		}
		property.Name = "p"
		var out strings.Builder
		m := &monitor.Monitor{Checking: t.Context(), KeepGoing: true, Checker: check.Checker{Settings: check.Settings{JSON: asJSON}, Stdout: &out, Properties: []*spec.Property{property}}}
		r, err := m.Begin("r", &event.Header{Tasks: []string{"main"}})
		if err != nil {
			t.Fatal(err)
		}
		n, inside := 0, ""
		made := map[string]int64{} // events by task
		add := func(e *event.Event) error {
			made[e.Task]++
			if n++; n%1000 == 0 {
				if err := r.Step(); err != nil {
					return err
				}
			}
			return r.Add(e, "")
		}
		intruder := ""
		err = workload.Shifts{Workers: 4, Seed: 3}.Each(150_000, func(e *event.Event) error {
			if e.Enter == "critical" {
				inside = e.Task
			}
			if n > 140_000 && intruder == "" && e.Op == "work" && e.Task != inside {
				intruder = e.Task
				for _, e := range []*event.Event{{Task: e.Task, Enter: "critical"}, {Task: e.Task, Exit: "critical"}} {
					if err := add(e); err != nil {
						return err
					}
				}
			}
			return add(e)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(nil); err != nil {
			t.Fatal(err)
		}
		if !asJSON {
			for _, want := range []string{"p: violated", intruder + ", started by main at shifts.go:8", "events before these, which come first in every order, are not kept"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is missing in\n%s", want, &out)
				}
			}
			continue
		}
		var o struct {
			Witness struct {
				Slice     map[string]int64
				Forgotten int64
			}
		}
		if err := json.Unmarshal([]byte(out.String()), &o); err != nil {
			t.Fatal(err)
		}
		if o.Witness.Forgotten < 50_000 || o.Witness.Slice["main"] > made["main"] || o.Witness.Slice["main"] < made["main"]/2 {
			t.Errorf("%d events forgotten, main in state %d of %d", o.Witness.Forgotten, o.Witness.Slice["main"], made["main"])
		}
	}
}
