//go:build unix

package atomicity

import (
	"fmt"
	"io"
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
			fmt.Fprintf(t, "\t%s\t%s", cell(s.Named, s.Runs), cell(s.TwinRuns, s.Runs))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintln(w)
	for i, way := range b.ways {
		fmt.Fprintf(w, "%s: %s\n", way.name, b.totals(i))
	}
	fmt.Fprintln(w)
	for i, way := range b.ways {
		for _, r := range b.rows {
			explain(w, way.name, r[i])
		}
	}
}

// cell is in how many of the runs something was reported.
func cell(reported, runs int) string {
	if reported == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", reported, runs)
}

// totals are the sums of one way.
func (b *board) totals(way int) string {
	var named, always, twins, failed int
	var missed []string
	for _, r := range b.rows {
		s := r[way]
		if s.Named > 0 {
			named++
		} else {
			missed = append(missed, s.Name)
		}
		if s.Named == s.Runs {
			always++
		}
		if s.TwinRuns > 0 {
			twins++
		}
		failed += len(s.Failures)
	}
	text := fmt.Sprintf("found in one of the runs: %d of %d, in all: %d; twins with reports: %d; runs not checked in full: %d",
		named, len(b.rows), always, twins, failed)
	if len(missed) > 0 {
		text += "; not found: " + strings.Join(missed, ", ")
	}
	return text
}

// explain prints what was reported in a way and is not the bug, and what was not checked.
func explain(w io.Writer, way string, s *corpus.Score) {
	name := way + ": " + s.Name
	corpus.Explain(w, name, s.Others)
	corpus.Explain(w, name+", twin", s.Twin)
	for _, failure := range s.Failures {
		fmt.Fprintf(w, "%s: %s\n", name, failure)
	}
}
