//go:build unix

package nonblocking

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

// write prints the board, its totals, and the reports that do not name the bug.
func write(w io.Writer, scores []*corpus.Score) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "program\tclass\tbug named\tin runs\tfirst\tother reports\ttwin\thow")
	for _, s := range scores {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", s.Name, s.Class, yes(s.Named > 0), s.Named, s.Runs, yes(s.First),
			sum(s.Others), sum(s.Twin), s.How())
	}
	t.Flush()
	fmt.Fprintf(w, "\n%s\n\n", totals(scores))
	for _, s := range scores {
		corpus.Explain(w, s.Name, s.Others)
		corpus.Explain(w, s.Name+", twin", s.Twin)
		for _, failure := range s.Failures {
			fmt.Fprintf(w, "%s: %s\n", s.Name, failure)
		}
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// sum counts different reports.
func sum(others map[string]*corpus.Other) string {
	if len(others) == 0 {
		return "-"
	}
	return fmt.Sprint(len(others))
}

// totals are the sums of the board.
func totals(scores []*corpus.Score) string {
	var once, first, always, others, twins, failed int
	for _, s := range scores {
		once += count(s.Named > 0)
		first += count(s.First)
		always += count(s.Named == s.Runs)
		others += count(len(s.Others) > 0)
		twins += count(len(s.Twin) > 0)
		failed += len(s.Failures)
	}
	return fmt.Sprintf("%d programs; bug named in the first run: %d, in one of the runs: %d, in all: %d; with other reports: %d; twins with reports: %d; runs not checked in full: %d",
		len(scores), first, once, always, others, twins, failed)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
