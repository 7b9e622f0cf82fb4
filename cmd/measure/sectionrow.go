//go:build unix

package main

import (
	"fmt"
	"regexp"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/sections"
	"github.com/antichain-go/antichain/internal/workload"
)

// sectionRow is a row of the table on critical sections: a check in the order of the run's
// sections, and one in other orders, too.
type sectionRow struct {
	sections.Workload
	formula sections.Formula
	orders  [2]rowOutcome // the run's, and others
}

// mostSlower is how much longer a check in other orders should take at most.
const mostSlower = 2

// sectionSizes are the runs that are measured: such as the other rows have, a million events with
// few and many locks, and others to see growth with goroutines, events and locks.
func sectionSizes() []sections.Workload {
	sizes := []sections.Workload{
		{Tasks: 20, Events: 50, Locks: 1}, {Tasks: 20, Events: 50, Locks: 64},
		{Tasks: 250, Events: 200, Locks: 1}, {Tasks: 250, Events: 200, Locks: 64}, {Tasks: 250, Events: 200, Locks: 1000},
		{Tasks: 20, Events: 500, Locks: 2, Halves: true}, {Tasks: 250, Events: 200, Locks: 2, Halves: true},
	}
	for _, tasks := range []int{16, 64, 256, 1024} {
		sizes = append(sizes, sections.Workload{Tasks: tasks, Events: 500, Locks: 64})
	}
	for _, events := range []int{2_000, 4_000, 8_000} {
		sizes = append(sizes, sections.Workload{Tasks: 64, Events: events, Locks: 64})
	}
	for _, locks := range []int{1, 64, 1000} {
		sizes = append(sizes, sections.Workload{Tasks: 64, Events: 15_625, Locks: locks})
	}
	return sizes
}

func sectionRows(seeds int, limit time.Duration) []sectionRow {
	var rows []sectionRow
	for _, c := range sectionSizes() {
		if c.Tasks*c.Events > 100_000 {
			seeds = min(seeds, 5)
		}
		for _, f := range c.Formulas() {
			rows = append(rows, newSectionRow(c, f, seeds, limit))
		}
	}
	return rows
}

func newSectionRow(c sections.Workload, f sections.Formula, seeds int, limit time.Duration) sectionRow {
	r := sectionRow{Workload: c, formula: f}
	variant := workload.Holds
	if f.Violated {
		variant = workload.Violated
	}
	for i := range r.orders {
		r.orders[i].job = job{Config: workload.Config{Variant: variant, Tasks: c.Tasks, Events: c.Events}, Sections: &c, Reorder: i == 1,
			Formula: f.Text, Seeds: seeds, Limit: limit}
	}
	return r
}

func (r *sectionRow) name() string { return r.Workload.String() + ", " + r.formula.Name }

// measure takes a seed after the other in both orders by turns, so that what else the machine does
// slows both.
func (r *sectionRow) measure(memory float64) error {
	for seed := range r.orders[0].Seeds {
		for i := range r.orders {
			c := &r.orders[i]
			one := c.checkRow
			one.Seeds, one.First = 1, seed
			got, err := one.measure(memory)
			if err != nil {
				return err
			}
			c.seeds = append(c.seeds, got.seeds...)
			if c.stopped = got.stopped; c.stopped != "" {
				return nil
			}
		}
	}
	return nil
}

var sectionTable = table{"sections", "formula", "verdict", "ms to build, run order", "ms to check", "ms to build, other orders", "ms to check", "check, ratio",
	"all, ratio", "MiB, run order", "MiB, other orders", fmt.Sprintf("ratio ≤ %d", mostSlower)}

// cells returns the row of the table. Times are medians.
func (r *sectionRow) cells() []string {
	run, other := &r.orders[0], &r.orders[1]
	met := "no"
	if run.decided() && other.decided() && other.median() <= mostSlower*run.median() {
		met = "yes"
	}
	return []string{
		fmt.Sprint(r.Workload), r.formula.Name, other.verdicts(), millis(run.built()), millis(run.checked()), millis(other.built()), millis(other.checked()),
		ratio(other.checked(), run.checked()), ratio(other.median(), run.median()), number(run.peak()), number(other.peak()), met,
	}
}

// built is the median of the time to build nets.
func (c *rowOutcome) built() float64 {
	var all []float64
	for _, s := range c.seeds {
		all = append(all, s.Build)
	}
	return median(all)
}

// checked is the median of the time to check.
func (c *rowOutcome) checked() float64 {
	var all []float64
	for _, s := range c.seeds {
		all = append(all, s.Check)
	}
	return median(all)
}

// printSectionRows prints the table of critical sections; with list it only names the rows.
func printSectionRows(pattern *regexp.Regexp, seeds int, limit time.Duration, memory float64, list bool) error {
	var printed *tableText
	for _, r := range sectionRows(seeds, limit) {
		switch {
		case !pattern.MatchString(r.name()):
			continue
		case list:
			fmt.Println(r.name())
			continue
		}
		if printed == nil {
			fmt.Println()
			printed = sectionTable.start()
		}
		if err := r.measure(memory); err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		printed.add(r.cells()...)
		flush(printed)
	}
	return nil
}
