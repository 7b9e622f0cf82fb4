//go:build unix

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// row is one operation of testdata/rows, with as many iterations as take -race about a second.
type row struct {
	name, title string
	n           int
}

func nameOf(r *row) string { return r.name }

var rows = []row{
	{"chan", "unbuffered channel, there and back", 1_000_000},
	{"buffered", "buffered send and receive", 5_000_000},
	{"mutex", "Mutex, uncontended", 5_000_000},
	{"contended", "Mutex, two goroutines", 4_000_000},
	{"rwmutex", "RWMutex, 1 of 4 writes", 5_000_000},
	{"waitgroup", "go, Done, Wait", 300_000},
	{"atomic", "atomic.Int64.Add", 10_000_000},
	{"select", "two selects of 2 cases", 2_000_000},
	{"context", "WithCancel and cancel", 300_000},
	{"http", "HTTP round trip, keep-alive", 8_000},
	{"http", "the same, sustained", 60_000}, // more than waits in memory to be read
}

// variant is a way to run the program.
type variant int

const (
	plain variant = iota
	traced
	withSpec
	builtins
	race
	live
	variants
)

var variantNames = [variants]string{"plain", "traced, -o", "traced, spec", "built-ins", "-race", "--live"}

// sample is what was measured in one run.
type sample struct {
	own     float64 // ns an operation, by the program's own clock
	cpu     float64 // ns of processor time an operation, of the program
	total   float64 // seconds from the program's start until the command ended
	memory  float64 // most MiB that the command, without the program, had in memory; 0 if not measured
	watched float64 // seconds of processor time that the command, without the program, took since the program's start
	perEach float64 // events an operation, 0 if none were written

	served served
}

// served is what is only known of a server under load.
type served struct {
	p99       float64 // ns that one in a hundred requests exceeds
	client    float64 // ns of processor time that the client took for a request
	requests  float64 // how many there were, with those before the clock started
	meanwhile float64 // seconds of processor time that the command, without the program, took until the last request
}

// result is what was measured for a row.
type result struct {
	row
	samples [variants][]sample
}

// median returns the middle of what get returns for the samples of a variant.
func (r *result) median(v variant, get func(sample) float64) float64 {
	var all []float64
	for _, s := range r.samples[v] {
		all = append(all, get(s))
	}
	return median(all)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	if n := len(values); n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[len(values)/2]
}

func own(s sample) float64    { return s.own }
func total(s sample) float64  { return s.total }
func memory(s sample) float64 { return s.memory }
func events(s sample) float64 { return s.perEach }

// compared are the variants that are compared with the race detector and with the plain program.
var compared = []variant{traced, withSpec, builtins}

// shortNames are those of variants in ratios.
var shortNames = map[variant]string{plain: "plain", traced: "-o", withSpec: "spec", builtins: "built-ins", race: "race"}

// ratioNames are the heads of the columns that compare those with another one.
func ratioNames(with variant) []string {
	var names []string
	for _, v := range compared {
		names = append(names, shortNames[v]+" / "+shortNames[with])
	}
	return names
}

func (r *result) ratios(with variant, get func(sample) float64) []string {
	var cells []string
	for _, v := range compared {
		cells = append(cells, ratio(r.median(v, get), r.median(with, get)))
	}
	return cells
}

// medians are those of the variants that are measured together, as cells.
func (r *result) medians(get func(sample) float64, format func(float64) string) []string {
	var cells []string
	for v := plain; v <= race; v++ {
		cells = append(cells, format(r.median(v, get)))
	}
	return cells
}

// costTable shows the program's own time.
func costTable(results []result) string {
	t := table(slices.Concat([]string{"ns an operation"}, variantNames[plain:race+1], ratioNames(race), ratioNames(plain))).start()
	for i := range results {
		r := &results[i]
		t.add(slices.Concat([]string{r.title}, r.medians(own, number), r.ratios(race, own), r.ratios(plain, own))...)
	}
	return t.String()
}

// verdictTable shows the time until the verdict.
func verdictTable(results []result) string {
	t := table(slices.Concat([]string{"seconds until the end of the command", "operations"}, variantNames[plain:race+1], ratioNames(race),
		[]string{"events an operation", "million events/s", "MiB, -o", "MiB, spec", "MiB, built-ins"})).start()
	for i := range results {
		r := &results[i]
		each, full := r.median(traced, events), r.median(traced, total)
		speed := "-"
		if full > 0 {
			speed = fmt.Sprintf("%.1f", each*float64(r.n)/full/1e6)
		}
		t.add(slices.Concat([]string{r.title, fmt.Sprint(r.n)}, r.medians(total, seconds), r.ratios(race, total),
			[]string{fmt.Sprintf("%.1f", each), speed, number(r.median(traced, memory)), number(r.median(withSpec, memory)), number(r.median(builtins, memory))})...)
	}
	return t.String()
}

// table is the columns of a table, the first one of text.
type table []string

type tableText struct{ strings.Builder }

func (t table) start() *tableText {
	b := new(tableText)
	b.add(t...)
	b.add(append([]string{"---"}, slices.Repeat([]string{"--:"}, len(t)-1)...)...)
	return b
}

func (b *tableText) add(cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// eachRow calls measure for the rows whose names match a pattern, in their order. An error says
// which row it is of.
func eachRow[R any](rows []R, name func(*R) string, pattern *regexp.Regexp, measure func(*R) error) error {
	for _, r := range rows {
		if !pattern.MatchString(name(&r)) {
			continue
		}
		if err := measure(&r); err != nil {
			return fmt.Errorf("%s: %w", name(&r), err)
		}
	}
	return nil
}

// number prints with three digits that count, or all before the point.
func number(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 0.1 || x == 0:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.1g", x)
}

func seconds(x float64) string { return fmt.Sprintf("%.2f", x) }

func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", a/b)
}
