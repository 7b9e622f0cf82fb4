//go:build unix

package sampling

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// A table has, for each program, the medians of the base seeds with each strategy.
type table struct {
	strategies []string
	most       int // runs of an exploration; a median above it is infinite
	rows       []row
	found      int // programs that one ordinary run is enough for
}

type row struct {
	name    string
	medians []float64
}

// table returns what was measured of the programs.
func (b *bench) table() *table {
	t := &table{strategies: strings.Split(b.strategies, ","), most: b.most}
	for _, p := range b.programs {
		if b.known[key{p.name, once, 0}] > 0 {
			t.found++
			continue
		}
		r := row{name: p.name}
		for _, strategy := range t.strategies {
			var runs []int
			for seed := range b.seeds {
				runs = append(runs, b.known[key{p.name, strategy, baseSeed(seed)}])
			}
			r.medians = append(r.medians, median(runs))
		}
		t.rows = append(t.rows, r)
	}
	return t
}

// median returns the median of numbers. 0 stands for more than any other.
func median(runs []int) float64 {
	sorted := make([]float64, len(runs))
	for i, n := range runs {
		if sorted[i] = float64(n); n == 0 {
			sorted[i] = math.Inf(1)
		}
	}
	slices.Sort(sorted)
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}

// write prints the programs that some strategy finds, the names of the others, and means.
func (t *table) write(w io.Writer) {
	text := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(text, "program\t%s\n", strings.Join(t.strategies, "\t"))
	var missed []string
	for _, r := range t.rows {
		if t.isMissed(r) {
			missed = append(missed, r.name)
			continue
		}
		fmt.Fprint(text, r.name)
		for _, m := range r.medians {
			fmt.Fprint(text, "\t", t.runs(m))
		}
		fmt.Fprintln(text)
	}
	fmt.Fprint(text, "geometric mean")
	for i := range t.strategies {
		fmt.Fprintf(text, "\t%.1f", t.mean(i))
	}
	fmt.Fprint(text, "\nfound")
	for i := range t.strategies {
		fmt.Fprintf(text, "\t%d", t.within(i))
	}
	fmt.Fprintln(text)
	text.Flush()
	fmt.Fprintf(w, "\n%d programs are left out, since one ordinary run reports something.\n", t.found)
	fmt.Fprintf(w, "The median is above %d runs with each strategy: %d programs: %s\n",
		t.most, len(missed), strings.Join(missed, ", "))
}

// isMissed reports whether no strategy has a median.
func (t *table) isMissed(r row) bool {
	return !slices.ContainsFunc(r.medians, func(m float64) bool { return !math.IsInf(m, 1) })
}

func (t *table) runs(median float64) string {
	if math.IsInf(median, 1) {
		return fmt.Sprint(">", t.most)
	}
	return fmt.Sprint(median)
}

// mean returns the geometric mean of the medians with a strategy, over programs that some strategy
// finds. One above the most runs counts as twice these.
func (t *table) mean(strategy int) float64 {
	sum, n := 0.0, 0.0
	for _, r := range t.rows {
		if !t.isMissed(r) {
			sum += math.Log(min(r.medians[strategy], 2*float64(t.most)))
			n++
		}
	}
	return math.Exp(sum / max(n, 1))
}

// within returns of how many programs a strategy has a median.
func (t *table) within(strategy int) (n int) {
	for _, r := range t.rows {
		if !math.IsInf(r.medians[strategy], 1) {
			n++
		}
	}
	return n
}
