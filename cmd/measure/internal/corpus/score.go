//go:build unix

package corpus

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// An Outcome is what a run has shown.
type Outcome struct {
	Reports *reported.Reports `json:",omitempty"`
	Failure string            `json:",omitempty"` // why it was not checked in full
}

func (o Outcome) err() error {
	if o.Failure == "" {
		return nil
	}
	return errors.New(o.Failure)
}

// Runs are the runs of a program and of its twin.
type Runs struct{ Bug, Twin []Outcome }

// Judge scores runs.
func (p *Program) Judge(r Runs) *Score {
	s := NewScore(p, len(r.Bug))
	for i, o := range r.Bug {
		s.Fail("run", i+1, o.err())
		s.Add(i+1, o.Reports)
	}
	for i, o := range r.Twin {
		s.Fail("run of the twin", i+1, o.err())
		s.AddTwin(o.Reports)
	}
	return s
}

// A Score is what the runs of a program and of its twin have shown.
type Score struct {
	*Program
	Runs, Named  int               // runs, and those in which the bug was named
	First        bool              // the first one did
	TwinRuns     int               // runs of the twin with a report
	how          map[string]int    // the reports of the bug, by how they are known
	Others, Twin map[string]*Other // reports that do not name the bug, and those of the twin
	Failures     []string          // runs that were not checked in full, and why
}

// Other are reports at the same places that do not name the bug, or are of the twin.
type Other struct {
	count int
	text  string
}

// NewScore returns a score of no runs yet, out of so many.
func NewScore(p *Program, runs int) *Score {
	return &Score{Program: p, Runs: runs, how: make(map[string]int), Others: make(map[string]*Other), Twin: make(map[string]*Other)}
}

// Fail notes that a run was not checked in full, if it was not.
func (s *Score) Fail(what string, run int, err error) {
	if err != nil {
		s.Failures = append(s.Failures, fmt.Sprintf("%s %d: %v", what, run, err))
	}
}

// Add adds what was reported of a run.
func (s *Score) Add(run int, found *reported.Reports) {
	if found == nil {
		return
	}
	if s.named(found) {
		s.Named++
		s.First = s.First || run == 1
	}
	for _, text := range found.Panics {
		if s.isPanic(text) {
			s.how["panic"]++
		}
	}
	if found.Hangs && s.bug.waits() {
		s.how["hang"]++
	}
	for _, f := range found.Findings {
		if s.bug.has(f) {
			s.how[f.Builtin+" "+f.How]++
		} else {
			note(s.Others, keyOf(f), f.Text)
		}
	}
	for _, p := range found.Properties {
		if s.isViolation(p) {
			s.how[happened(p)]++
		} else {
			note(s.Others, p.Property, happened(p))
		}
	}
}

// AddTwin adds what was reported of a run of the twin and is not true of it.
func (s *Score) AddTwin(found *reported.Reports) {
	if found == nil {
		return
	}
	falsely := slices.DeleteFunc(slices.Clone(found.Findings), s.twin.has)
	if len(falsely)+len(found.Properties)+len(found.Panics) > 0 || found.Hangs {
		s.TwinRuns++
	}
	if found.Hangs {
		note(s.Twin, "hang", "it does not end")
	}
	for _, f := range falsely {
		note(s.Twin, keyOf(f), f.Text)
	}
	for _, text := range found.Panics {
		note(s.Twin, "panic", text)
	}
	for _, p := range found.Properties {
		note(s.Twin, p.Property, happened(p))
	}
}

func note(others map[string]*Other, key, text string) {
	if others[key] == nil {
		others[key] = &Other{text: text}
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

// happened says whether a violation of a specification happened in the run, and which other order
// it may need.
func happened(p *report.Object) string {
	switch {
	case p.Happened:
		return "specification observed"
	case p.How != "":
		return "specification " + p.How
	}
	return "specification predicted"
}

// How says how the reports of the bug are known, and how many there are.
func (s *Score) How() string {
	var cells []string
	for _, how := range slices.Sorted(maps.Keys(s.how)) {
		cells = append(cells, fmt.Sprintf("%d %s", s.how[how], how))
	}
	return strings.Join(cells, ", ")
}

// Explain prints reports and how many there were of each.
func Explain(w io.Writer, name string, others map[string]*Other) {
	for _, key := range slices.Sorted(maps.Keys(others)) {
		fmt.Fprintf(w, "%s: %d × %s\n    %s\n", name, others[key].count, key, others[key].text)
	}
}
