//go:build unix

package nonblocking

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// A score is what the runs of a program and of its twin have shown.
type score struct {
	*program
	runs, named  int            // runs, and those in which the bug was named
	first        bool           // the first one did
	how          map[string]int // the reports of the bug, by how they are known
	others, twin map[string]*other
	failures     []string // runs that were not checked in full, and why
}

// other are reports at the same places that do not name the bug, or are of the twin.
type other struct {
	count int
	text  string
}

func newScore(p *program, runs int) *score {
	return &score{program: p, runs: runs, how: make(map[string]int), others: make(map[string]*other), twin: make(map[string]*other)}
}

// failed notes that a run was not checked in full, if it was not.
func (s *score) failed(what string, run int, err error) {
	if err != nil {
		s.failures = append(s.failures, fmt.Sprintf("%s %d: %v", what, run, err))
	}
}

// add adds what was reported of a run.
func (s *score) add(run int, found *reported.Reports) {
	if found == nil {
		return
	}
	if s.program.named(found) {
		s.named++
		s.first = s.first || run == 1
	}
	for _, f := range found.Findings {
		if s.isBug(f) {
			s.how[f.Builtin+" "+f.How]++
		} else {
			note(s.others, keyOf(f), f.Text)
		}
	}
	for _, p := range found.Properties {
		if s.isViolation(p) {
			s.how[happened(p)]++
		} else {
			note(s.others, p.Property, happened(p))
		}
	}
}

// addTwin adds what was reported of a run of the twin.
func (s *score) addTwin(found *reported.Reports) {
	if found == nil {
		return
	}
	for _, f := range found.Findings {
		note(s.twin, keyOf(f), f.Text)
	}
	for _, p := range found.Properties {
		note(s.twin, p.Property, happened(p))
	}
}

func note(others map[string]*other, key, text string) {
	if others[key] == nil {
		others[key] = &other{text: text}
	}
	others[key].count++
}

// keyOf tells findings apart: the property, how it is known and the places.
func keyOf(f *report.BuiltinObject) string {
	var places []string
	for _, p := range f.Parties {
		places = append(places, path.Base(p.At))
	}
	slices.Sort(places)
	return fmt.Sprintf("%s %s (%s)", f.Builtin, strings.Join(places, ","), f.How)
}

// happened says whether a violation of a specification happened in the run.
func happened(p *report.Object) string {
	if p.Happened {
		return "specification observed"
	}
	return "specification predicted"
}

// write prints the board, its totals, and the reports that do not name the bug.
func write(w io.Writer, scores []*score) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "program\tclass\tbug named\tin runs\tfirst\tother reports\ttwin\thow")
	for _, s := range scores {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", s.name, s.class, yes(s.named > 0), s.named, s.runs, yes(s.first),
			sum(s.others), sum(s.twin), s.howCell())
	}
	t.Flush()
	fmt.Fprintf(w, "\n%s\n\n", totals(scores))
	for _, s := range scores {
		explain(w, s.name, s.others)
		explain(w, s.name+", twin", s.twin)
		for _, failure := range s.failures {
			fmt.Fprintf(w, "%s: %s\n", s.name, failure)
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
func sum(others map[string]*other) string {
	if len(others) == 0 {
		return "-"
	}
	return fmt.Sprint(len(others))
}

// howCell says how the reports of the bug are known, and how many there are.
func (s *score) howCell() string {
	var cells []string
	for _, how := range slices.Sorted(maps.Keys(s.how)) {
		cells = append(cells, fmt.Sprintf("%d %s", s.how[how], how))
	}
	return strings.Join(cells, ", ")
}

// totals are the sums of the board.
func totals(scores []*score) string {
	var once, first, always, others, twins, failed int
	for _, s := range scores {
		once += count(s.named > 0)
		first += count(s.first)
		always += count(s.named == s.runs)
		others += count(len(s.others) > 0)
		twins += count(len(s.twin) > 0)
		failed += len(s.failures)
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

// explain prints reports and how many there were of each.
func explain(w io.Writer, name string, others map[string]*other) {
	for _, key := range slices.Sorted(maps.Keys(others)) {
		fmt.Fprintf(w, "%s: %d × %s\n    %s\n", name, others[key].count, key, others[key].text)
	}
}
