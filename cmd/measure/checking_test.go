//go:build linux

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/sections"
	"github.com/antichain-go/antichain/internal/workload"
)

// TestMain is also the child that measures a row.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == checkingJob {
		if err := runJob(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// anyRow is a row that is quick.
func anyRow(v workload.Variant) checkRow {
	c := workload.Config{Pattern: workload.Ring, Variant: v, Tasks: 3, Events: 20}
	f := workload.Formulas()[0]
	text, _ := f.Text(c)
	return checkRow{title: f.Name, target: target{seconds: 100, mib: 1000},
		job: job{Config: c, Formula: text, Seeds: 2, Limit: time.Minute, Explicit: true}}
}

func TestCheckRow(t *testing.T) {
	for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
		c, err := anyRow(v).measure(4096)
		if err != nil {
			t.Fatal(err)
		}
		cells := c.cells()
		if want := []string{"ring", "3×20", "exclusion of 2", v.String()}; !slices.Equal(cells[:4], want) {
			t.Errorf("%q, want %q first", cells, want)
		}
		if len(c.explicit) != 2 || c.explicit[0].Slices == 0 || cells[7] == "-" {
			t.Errorf("nothing was enumerated: %q", cells)
		}
		if c.peak() <= 0 || cells[9] != "yes" {
			t.Errorf("%q", cells)
		}
	}
}

// A row whose runs come out other than they should is an error, not a number.
func TestCheckRowWrong(t *testing.T) {
	r := anyRow(workload.Violated)
	r.Formula = "not (t1:(a) and t1:(c))"
	if _, err := r.measure(4096); err == nil || !strings.Contains(err.Error(), "verdict holds") {
		t.Errorf("%v", err)
	}
}

// A row that takes too much is stopped, and says so.
func TestCheckRowStopped(t *testing.T) {
	r := anyRow(workload.Holds)
	r.Config.Tasks, r.Config.Events = 64, 100_000
	c, err := r.measure(50)
	if err != nil || c.met() != "no" || !strings.Contains(c.verdicts(), "more than 50 MiB") {
		t.Errorf("%v, %q", err, c.cells())
	}
}

func TestUndecided(t *testing.T) {
	c := rowOutcome{checkRow: anyRow(workload.Holds)}
	c.seeds = []seedResult{{Verdict: "holds", Check: 1}, {Verdict: "unknown", Check: 3}}
	if got, want := c.verdicts(), "**1 unknown**, 1 holds"; got != want || c.met() != "no" {
		t.Errorf("%s, met %s; want %s", got, c.met(), want)
	}
	if c.median() != 2 || c.worst() != 3 {
		t.Errorf("median %v, worst %v", c.median(), c.worst())
	}
}

// Names of rows are what -run chooses from.
func TestCheckRowNames(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range append(checkRows(250, 200, 1, 0), millionRows(1, 0)...) {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
	}
	for _, r := range sectionRows(1, 0) {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
	}
	if !seen["ring 250×200, violated, until"] || !seen["sections 64×15625, 1000 locks, in none"] {
		t.Error("a row is missing")
	}
}

func TestSectionRow(t *testing.T) {
	c := sections.Workload{Tasks: 4, Events: 60, Locks: 3}
	for _, f := range c.Formulas() {
		r := newSectionRow(c, f, 2, time.Minute)
		if err := r.measure(4096); err != nil {
			t.Fatal(err)
		}
		cells := r.cells()
		if len(cells) != len(sectionTable) || cells[0] != "sections 4×60, 3 locks" || cells[2] != r.orders[0].Config.Variant.String() {
			t.Errorf("%q", cells)
		}
		if len(r.orders[0].seeds) != 2 || len(r.orders[1].seeds) != 2 || r.orders[1].peak() <= 0 {
			t.Errorf("%+v", r.orders)
		}
		r.formula.Violated = !r.formula.Violated
		wrong := newSectionRow(c, r.formula, 1, time.Minute)
		if err := wrong.measure(4096); err == nil {
			t.Errorf("%s: no error though the verdict is another one", f.Name)
		}
	}
}

func TestPlot(t *testing.T) {
	p := &plot{x: "events & more", y: "ms", at: []int{1, 2, 4}, curves: []curve{
		{name: "a < b", values: []float64{1, 10, 100}}, {name: "ended", dashed: true, values: []float64{5}}}}
	text := p.svg()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	// Powers of ten are in a straight line over sizes that double.
	if want := `points="70.0,380.0 330.0,200.0 590.0,20.0"`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
	if want := "| 2 | 10.0 | - |"; !strings.Contains(p.table(), want) {
		t.Errorf("no %s in\n%s", want, p.table())
	}
}
