//go:build unix

package agreement

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/internal/findingset"
)

// table has a row for each program.
type table struct {
	columns  []string // the ways
	rows     [][]string
	details  []string // of what differs, and of programs that were not checked
	programs int
	findings int
	differ   int // cells
	failed   int // programs
}

// add adds the rows of a group.
func (t *table) add(g *group, runs []*run) {
	for _, r := range runs {
		t.programs++
		row := []string{g.name, r.name}
		if r.err != nil {
			t.failed++
			t.details = append(t.details, fmt.Sprintf("%s: not checked: %v", r.id, r.err))
			t.rows = append(t.rows, append(append(row, "not checked"), slices.Repeat([]string{"-"}, len(t.columns))...))
			continue
		}
		found := len(findingset.Findings(r.found))
		t.findings += found
		row = append(row, fmt.Sprint(found))
		for _, way := range t.columns {
			row = append(row, t.cell(r, way))
		}
		t.rows = append(t.rows, row)
	}
}

// cell compares what one way has found in a run with what the run has.
func (t *table) cell(r *run, way string) string {
	by := r.by[way]
	differ := differences(findingset.Set(r.found), findingset.Set(by))
	if way == wayCheck {
		differ = differences(wordsOf(r.found), wordsOf(by))
	}
	for _, key := range renamed(by) {
		differ = append(differ, "several ids: "+key)
	}
	if len(differ) == 0 {
		return "same"
	}
	t.differ++
	t.details = append(t.details, fmt.Sprintf("%s: run (-) and %s (+):\n    %s", r.id, way, strings.Join(differ, "\n    ")))
	return "differs"
}

// write prints the table, sums and what differs.
func (t *table) write(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(out, "group\tprogram\tfindings of the run\t%s\n", strings.Join(t.columns, "\t"))
	for _, row := range t.rows {
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	out.Flush()
	fmt.Fprintf(w, "\n%d programs with %d findings, each by %d other ways: %d differences; not checked: %d\n", t.programs, t.findings, len(t.columns), t.differ, t.failed)
	for _, text := range t.details {
		fmt.Fprintln(w, text)
	}
}

// err is an error if not all is the same.
func (t *table) err() error {
	switch {
	case t.differ > 0:
		return errors.New("not all ways find the same")
	case t.failed > 0:
		return errors.New("not all programs were checked")
	case t.programs == 0:
		return errors.New("no program has such a name")
	}
	return nil
}
