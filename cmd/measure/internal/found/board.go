//go:build unix

package found

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

// A board is what was found of each program in each way.
type board struct {
	ways []way
	rows []row
}

// A row has the scores of one program, one for each way.
type row []*corpus.Score

// write prints the board, its totals, and the reports that do not name the bug.
func (b *board) write(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprint(t, "program\tclass")
	for _, way := range b.ways {
		fmt.Fprintf(t, "\t%s\ttwin", way.name)
	}
	fmt.Fprintln(t)
	for _, r := range b.rows {
		fmt.Fprintf(t, "%s\t%s", r[0].Name, r[0].Class)
		for _, s := range r {
			fmt.Fprintf(t, "\t%s\t%s", named(s), twin(s))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintf(w, "\nnamed in one of the ways: %d of %d\n", b.count(isFound), len(b.rows))
	for i, way := range b.ways {
		fmt.Fprintf(w, "%s: %s\n", way.name, b.totals(i))
	}
	fmt.Fprintln(w)
	for i, way := range b.ways {
		for _, r := range b.rows {
			explain(w, way.name+": "+r[i].Name, r[i])
		}
	}
}

// named says in which run the bug was named, and how it is known.
func named(s *corpus.Score) string {
	switch {
	case s.Runs == 0:
		return "not run"
	case s.Named == 0:
		return "-"
	case s.Runs > 1:
		return fmt.Sprintf("%s, run %d", s.How(), s.Runs)
	}
	return s.How()
}

// twin says in how many runs of the twin something was reported.
func twin(s *corpus.Score) string {
	if s.TwinRuns == 0 {
		return "-"
	}
	return fmt.Sprint(s.TwinRuns)
}

// isFound reports whether the bug was named in one of the ways.
func isFound(r row) bool {
	return slices.ContainsFunc(r, func(s *corpus.Score) bool { return s.Named > 0 })
}

// count returns how many rows are such.
func (b *board) count(is func(row) bool) int {
	n := 0
	for _, r := range b.rows {
		if is(r) {
			n++
		}
	}
	return n
}

// totals are the sums of one way.
func (b *board) totals(way int) string {
	failed, run := 0, 0
	var missed []string
	for _, r := range b.rows {
		if r[way].Runs == 0 {
			continue
		}
		run++
		failed += len(r[way].Failures)
		if r[way].Named == 0 {
			missed = append(missed, r[way].Name)
		}
	}
	const form = "named: %d of %d; twins with reports: %d; runs not checked in full: %d"
	text := fmt.Sprintf(form, run-len(missed), run,
		b.count(func(r row) bool { return r[way].TwinRuns > 0 }), failed)
	if len(missed) > 0 {
		text += "; not named: " + strings.Join(missed, ", ")
	}
	return text
}

// explain prints what was reported and is not the bug, and what was not checked.
func explain(w io.Writer, name string, s *corpus.Score) {
	corpus.Explain(w, name, s.Others)
	corpus.Explain(w, name+", twin", s.Twin)
	for _, failure := range s.Failures {
		fmt.Fprintf(w, "%s: %s\n", name, failure)
	}
}
