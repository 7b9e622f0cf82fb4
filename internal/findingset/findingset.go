// Package findingset compares the reports on built-in properties that different ways to check one
// run give.
package findingset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Report is a line of JSON about a built-in property of a run.
type Report struct {
	ID    string `json:"id"`    // of a verdict in a topic
	Run   string `json:"run"`   // of a verdict in a topic
	Error string `json:"error"` // error of the run
	report.BuiltinObject
}

// Parse returns the reports in the output of a verb with --json. It ignores other lines, which the
// program has written.
func Parse(out []byte) ([]*Report, error) {
	var all []*Report
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte(`{"trace":`)) && !bytes.HasPrefix(line, []byte(`{"id":`)) {
			continue
		}
		r := new(Report)
		if err := json.Unmarshal(line, r); err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		if r.Builtin != "" || r.Error != "" {
			all = append(all, r)
		}
	}
	return all, nil
}

// Findings returns the findings in the reports, including findings that are grouped under another
// one.
func Findings(all []*Report) (found []*report.BuiltinObject) {
	for _, r := range all {
		if r.FindingObject != nil {
			found = append(found, r.Findings()...)
		}
	}
	return found
}

// observed is the certainty of findings that happened.
var observed = builtin.Observed.String()

// certainty is the rank of a finding's certainty, the best one first.
func certainty(f *report.BuiltinObject) int {
	how := builtin.Observed
	for how < builtin.Possible && how.String() != f.How {
		how++
	}
	return int(how)
}

// Set returns the content of reports on a run that does not depend on their time. It ignores the
// order, the number of equal findings, how they are grouped, and earlier reports of a finding with
// lower certainty, such as predicted before observed.
//
// Goroutines that wait for ever are listed one by one, not by the reports that name them: a
// deadlock is reported when it occurs, before others come to wait behind it or release locks it
// does not need.
func Set(all []*Report) []string {
	set := map[string]bool{}
	for _, r := range all {
		if r.Error != "" {
			set["error: "+r.Error] = true
		} else if r.FindingObject == nil {
			set[strings.TrimSpace(r.Builtin+" "+r.Verdict+" "+r.Covered)] = true
		}
	}
	found := Findings(all)
	waiting := map[string]bool{}
	for _, f := range found {
		set[strings.TrimSpace(f.Builtin+" "+f.Verdict+" "+f.Covered)] = true
		if waitsForEver(f) {
			for _, p := range partiesOf(f) {
				waiting[p] = true
			}
		}
	}
	for _, p := range waitingAtLast(found) {
		set["waits for ever: "+party(p)] = true
	}
	best := map[string]int{}
	for _, f := range found {
		if i, known := best[Key(f)]; !known || certainty(f) < i {
			best[Key(f)] = certainty(f)
		}
	}
	for _, f := range found {
		isKnown := f.Builtin == "deadlock" &&
			!slices.ContainsFunc(partiesOf(f), func(p string) bool { return !waiting[p] })
		if key := Key(f); !waitsForEver(f) && !isKnown && certainty(f) == best[key] {
			set[key+" "+f.How] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// waitsForEver reports whether the parties of a finding wait for ever in this run.
func waitsForEver(f *report.BuiltinObject) bool {
	return f.How == observed && (f.Builtin == "deadlock" || f.Builtin == "stuck")
}

// Key identifies a finding within a run by its property, parties and positions.
func Key(f *report.BuiltinObject) string { return fmt.Sprint(f.Builtin, " ", partiesOf(f)) }

// partiesOf returns the operations of a finding's parties, with their positions and the locks they
// hold.
func partiesOf(f *report.BuiltinObject) []string {
	var parties []string
	for i := range f.Parties {
		parties = append(parties, party(&f.Parties[i]))
	}
	slices.Sort(parties)
	return slices.Compact(parties)
}

func party(p *report.PartyObject) string {
	text := p.Op + " at " + p.At
	for _, h := range p.Holds {
		text += ", holds " + h.Op + " at " + h.At
	}
	return text
}

// waitingAtLast returns the goroutines that wait for ever, each as last reported, since other
// goroutines can release its locks. A goroutine that later waits for something else is returned
// twice.
func waitingAtLast(found []*report.BuiltinObject) []*report.PartyObject {
	var all []*report.PartyObject
	for _, f := range found {
		for i := range f.Parties {
			p := &f.Parties[i]
			if waitsForEver(f) {
				all = slices.DeleteFunc(all, func(before *report.PartyObject) bool { return holdsFewer(p, before) })
				all = append(all, p)
			}
		}
	}
	return all
}

// holdsFewer reports whether p is the goroutine of an earlier report, at the same place, after
// others released locks that it held.
func holdsFewer(p, before *report.PartyObject) bool {
	return p.Task == before.Task && p.Op == before.Op && p.At == before.At &&
		!slices.ContainsFunc(p.Holds, func(h report.PlacedObject) bool {
			return !slices.ContainsFunc(before.Holds, func(b report.PlacedObject) bool {
				return b.At == h.At && b.Op == h.Op
			})
		})
}
