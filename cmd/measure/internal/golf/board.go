//go:build unix

package golf

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A score is what the runs of a program have shown.
type score struct {
	*program
	runs     int
	named    map[*label]int // the first run that named the label
	possible map[*label]bool
	// reports that name no label, and those that are only possible: the text of one of those that
	// say the same
	others, doubtful map[string]string
	failures         []string // runs that were not checked in full, and why
}

func newScore(p *program) *score {
	return &score{program: p, named: make(map[*label]int), possible: make(map[*label]bool),
		others: make(map[string]string), doubtful: make(map[string]string)}
}

// add adds what was reported of a run.
func (s *score) add(found *reported.Reports, err error) {
	s.runs++
	if err != nil {
		s.failures = append(s.failures, fmt.Sprintf("run %d: %v", s.runs, err))
	}
	if found == nil {
		return
	}
	for _, f := range found.Findings {
		labels := s.labelled(f)
		for _, l := range labels {
			if s.named[l] == 0 {
				s.named[l] = s.runs
			}
		}
		if len(labels) == 0 {
			s.others[keyOf(f)] = f.Text
		}
	}
	for _, f := range found.Possible {
		labels := s.labelled(f)
		for _, l := range labels {
			s.possible[l] = true
		}
		if len(labels) == 0 {
			s.doubtful[keyOf(f)] = f.Text
		}
	}
}

// labelled are the labels that a report names.
func (s *score) labelled(f *report.BuiltinObject) (named []*label) {
	for _, l := range s.labels {
		if slices.ContainsFunc(f.Parties, func(p report.PartyObject) bool { return s.has(l, p) }) {
			named = append(named, l)
		}
	}
	return named
}

// missed are the labels that no run has named.
func (s *score) missed() []*label {
	return slices.DeleteFunc(slices.Clone(s.labels), func(l *label) bool { return s.named[l] > 0 })
}

// keyOf distinguishes reports: by the property, how it is known and the places.
func keyOf(f *report.BuiltinObject) string {
	var places []string
	for _, p := range f.Parties {
		places = append(places, path.Base(p.At))
	}
	slices.Sort(places)
	return fmt.Sprintf("%s %s (%s)", f.Builtin, strings.Join(slices.Compact(places), ","), f.How)
}

// paper are the groups that the paper counts. The rest are GOLF's own tests.
var paper = []string{"cgo-examples", "gobench"}

// columns are the titles of those of a board.
var columns = []string{
	"group", "programs", "labels", "named in one of the runs", "in the first", "only possible",
	"other reports", "possible", "runs not checked in full",
}

// write prints a board: its totals by group, and what is not as the labels say.
func write(w io.Writer, title string, scores []*score) {
	fmt.Fprintf(w, "%s\n\n", title)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(columns, "\t"))
	groups := make(map[string]*totals)
	ofPaper, sum := new(totals), new(totals)
	for _, s := range scores {
		if groups[s.group] == nil {
			groups[s.group] = new(totals)
		}
		groups[s.group].add(s)
		sum.add(s)
		if slices.Contains(paper, s.group) {
			ofPaper.add(s)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(t, "%s\t%s\n", group, groups[group])
	}
	fmt.Fprintf(t, "%s\t%s\nall\t%s\n", strings.Join(paper, " and "), ofPaper, sum)
	t.Flush()
	fmt.Fprintln(w)
	for _, s := range scores {
		s.explain(w)
	}
	fmt.Fprintln(w)
}

// totals are sums of scores.
type totals struct{ programs, labels, named, first, possible, others, doubtful, failures int }

func (t *totals) add(s *score) {
	t.programs++
	t.labels += len(s.labels)
	t.named += len(s.named)
	for _, run := range s.named {
		if run == 1 {
			t.first++
		}
	}
	for _, l := range s.missed() {
		if s.possible[l] {
			t.possible++
		}
	}
	t.others += len(s.others)
	t.doubtful += len(s.doubtful)
	t.failures += len(s.failures)
}

// String has a cell for each sum.
func (t *totals) String() string {
	var cells []string
	for _, n := range []int{t.programs, t.labels, t.named, t.first, t.possible, t.others, t.doubtful, t.failures} {
		cells = append(cells, strconv.Itoa(n))
	}
	return strings.Join(cells, "\t")
}

// explain prints the labels that were missed, the reports that name none, and the runs that were
// not checked in full.
func (s *score) explain(w io.Writer) {
	for _, l := range s.missed() {
		how := "not named"
		if s.possible[l] {
			how = "only possible"
		}
		fmt.Fprintf(w, "%s:%d: %s\n", s.dir, l.line, how)
	}
	for _, others := range []map[string]string{s.others, s.doubtful} {
		for _, key := range slices.Sorted(maps.Keys(others)) {
			fmt.Fprintf(w, "%s: %s\n    %s\n", s.dir, key, others[key])
		}
	}
	for _, failure := range s.failures {
		fmt.Fprintf(w, "%s: %s\n", s.dir, failure)
	}
}
