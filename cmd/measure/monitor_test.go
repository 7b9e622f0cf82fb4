//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
)

// The properties of all rows hold both ways, or there would be no number.
func TestMonitorRows(t *testing.T) {
	seen := map[string]bool{}
	targets := 0
	for _, r := range monitorRows(4000) {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
		if r.target > 0 {
			targets++
		}
		if r.config.Tasks > 100 {
			continue // too few events for so many tasks
		}
		r.config.Events = max(r.config.Events, workload.FullEvents)
		cells, err := r.measure(1)
		if err != nil {
			t.Fatalf("%s: %v", r.name(), err)
		}
		if len(cells) != len(monitorTable) || cells[0] != r.title || (cells[6] != "") != (r.target > 0) {
			t.Errorf("%s: %q", r.name(), cells)
		}
	}
	if targets != 1 || !seen["16 boolean, 1000 tasks"] {
		t.Errorf("%d rows have a target: %v", targets, seen)
	}
}

// A property that does not hold is an error, not a number.
func TestMonitorRowWrong(t *testing.T) {
	r := monitorRows(4000)[0]
	r.formulas = []string{"t:(not a)"}
	if _, err := r.measure(1); err == nil || !strings.Contains(err.Error(), "violated: the check or the workload is wrong") {
		t.Errorf("%v", err)
	}
}
