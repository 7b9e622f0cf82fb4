//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
)

// dimension is something that checks grow with. It is doubled four times.
type dimension struct {
	name, axis string
	sizes      []int
	rows       func(size int) []checkRow // a curve each
}

// The pattern is the ring: tasks depend on each other, and all formulas can hold.
const growthPattern = workload.Ring

var dimensions = []dimension{
	{"events", "events of each of 20 tasks", []int{50, 100, 200, 400, 800}, func(n int) []checkRow { return growthRows(20, n) }},
	{"tasks", "tasks of 50 events each", []int{20, 40, 80, 160, 320}, func(n int) []checkRow { return growthRows(n, 50) }},
	{"depth", "nested temporal operators, 20 tasks of 50 events each", []int{1, 2, 4, 8, 16}, depthRows},
}

var growthFormulas = []string{"exclusion of 2", "before, 3 TIVs", "until", "response", "next^5"}

func growthRows(tasks, events int) []checkRow {
	var rows []checkRow
	for _, name := range growthFormulas {
		for _, f := range workload.Formulas() {
			if f.Name == name {
				rows = append(rows, growthRow(f, tasks, events)...)
			}
		}
	}
	return rows
}

func depthRows(depth int) []checkRow { return growthRow(workload.Nested(depth), 20, 50) }

func growthRow(f workload.Formula, tasks, events int) []checkRow {
	var rows []checkRow
	for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
		c := workload.Config{Pattern: growthPattern, Variant: v, Tasks: tasks, Events: events}
		if text, ok := f.Text(c); ok {
			rows = append(rows, checkRow{job: job{Config: c, Formula: text}, title: f.Name})
		}
	}
	return rows
}

// growth measures and draws.
func growth(args []string) error {
	flags := flag.NewFlagSet("growth", flag.ContinueOnError)
	seeds := flags.Int("seeds", 5, "runs of each point")
	limit := flags.Duration("limit", 20*time.Second, "time for one check; a curve ends where it is not enough")
	memory := flags.Float64("memory", 4096, "most memory of a point, in `MiB`")
	dir := flags.String("o", ".github/pictures", "`directory` of the pictures")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *seeds < 1 || flags.NArg() > 0 {
		return fmt.Errorf("-seeds must be at least 1, and no arguments follow the flags")
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	for _, d := range dimensions {
		p, err := d.measure(*seeds, *limit, *memory)
		if err != nil {
			return err
		}
		fmt.Print(p.table(), "\n")
		path := filepath.Join(*dir, "growth-"+d.name+".svg")
		if err := os.WriteFile(path, []byte(p.svg()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// measure returns the curves of a dimension.
func (d dimension) measure(seeds int, limit time.Duration, memory float64) (*plot, error) {
	p := &plot{x: d.axis, y: "ms, median, net building included", at: d.sizes}
	curves := map[string]int{}
	for i, size := range d.sizes {
		for _, r := range d.rows(size) {
			name := fmt.Sprintf("%s, %v", r.title, r.Config.Variant)
			n, ok := curves[name]
			if !ok {
				n = len(p.curves)
				curves[name] = n
				p.curves = append(p.curves, curve{name: name, dashed: r.Config.Variant == workload.Violated})
			}
			if len(p.curves[n].values) < i {
				continue // it has ended
			}
			r.Seeds, r.Limit = seeds, limit
			c, err := r.measure(memory)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name(), err)
			}
			if c.decided() {
				p.curves[n].values = append(p.curves[n].values, 1000*c.median())
			}
		}
	}
	return p, nil
}

// table returns the values in words.
func (p *plot) table() string {
	head := table{p.x}
	for _, c := range p.curves {
		head = append(head, c.name)
	}
	t := head.start()
	for i, size := range p.at {
		cells := []string{fmt.Sprint(size)}
		for _, c := range p.curves {
			cell := "-"
			if i < len(c.values) {
				cell = number(c.values[i])
			}
			cells = append(cells, cell)
		}
		t.add(cells...)
	}
	return t.String()
}
