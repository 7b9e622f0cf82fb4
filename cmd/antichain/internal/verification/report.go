package verification

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// mostChanges bounds how many changes of the program a text lists.
const mostChanges = 4

// Write writes the outcome as a text of a few lines.
func (o *Outcome) Write(w io.Writer) error {
	var b strings.Builder
	file := filepath.Base(o.File)
	switch o.Verdict {
	case Verified:
		fmt.Fprintf(&b, "verified: %s leads to no violation any more\n", file)
	case Violated:
		fmt.Fprintf(&b, "not verified: %s\n", o.Found.heading())
	default:
		fmt.Fprintf(&b, "not judged: %s\n", o.Why)
	}
	indent := func(text string) { fmt.Fprintf(&b, "    %s\n", event.Printable(text)) }
	if o.Found != nil {
		o.Found.write(indent)
	}
	if o.Shows != "" {
		indent("the schedule was made for " + o.Shows)
	}
	indent(o.keptText())
	for i, change := range o.Changes {
		if i == mostChanges {
			indent(fmt.Sprintf("%d more", len(o.Changes)-i))
			break
		}
		indent(change)
	}
	if len(o.Runs) > 0 {
		indent(o.runsText())
	}
	if o.Failed > 0 {
		indent(fmt.Sprintf("in %s the program failed while goroutines were held, which may depend on time",
			wording.Plural(o.Failed, "run")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading says what was found at all.
func (f *Found) heading() string {
	if f.Property == "" {
		return "the program fails"
	}
	return "a run shows a violation"
}

// write describes what was found.
func (f *Found) write(indent func(string)) {
	text := f.Text
	if f.Property != "" {
		text = fmt.Sprintf("%s: %s (%s)", f.Property, f.Text, f.How)
	}
	indent(text)
	indent("in a run " + runText(f.Run))
	indent("show it again: " + f.Again)
}

// runText describes the order of a run.
func runText(order string) string {
	for _, kind := range []Kind{AsIs, Scheduled, Neighbours, Pairs, Seeds} {
		if order == string(kind) {
			return order
		}
	}
	return "with " + order
}

// keptText says how much of the schedule the program can do, and has done under it.
func (o *Outcome) keptText() string {
	steps := wording.Plural(o.Steps, "step")
	if o.Fit == 0 {
		return fmt.Sprintf("the program has no place any more for %s of the schedule", steps)
	}
	text := fmt.Sprintf("the program has places for %d of %s of the schedule", o.Fit, steps)
	switch isScheduled := func(s Series) bool { return s.Kind == Scheduled }; {
	case !slices.ContainsFunc(o.Runs, isScheduled):
		return text
	case o.Kept == 0:
		return text + "; the runs under it came to none of them"
	}
	return fmt.Sprintf("%s; the runs under it came to %d of them at most", text, o.Kept)
}

// runsText says how many runs there were.
func (o *Outcome) runsText() string {
	var parts []string
	for _, s := range o.Runs {
		parts = append(parts, fmt.Sprintf("%d %s", s.Runs, s.Kind))
	}
	return wording.Plural(o.all(), "run") + ": " + strings.Join(parts, ", ")
}

// object is the outcome as JSON.
type object struct {
	Verify  string         `json:"verify"` // the file
	Shows   string         `json:"shows,omitempty"`
	Verdict Verdict        `json:"verdict"`
	Why     string         `json:"why,omitempty"`
	Steps   int            `json:"steps"`
	Fit     int            `json:"fit"`
	Kept    int            `json:"kept"`
	Changes []string       `json:"changes"`
	Runs    []seriesObject `json:"runs"`
	Failed  int            `json:"failed"`
	Found   *foundObject   `json:"found"`
}

type seriesObject struct {
	Order Kind `json:"order"`
	Runs  int  `json:"runs"`
}

type foundObject struct {
	Property string `json:"property,omitempty"`
	Text     string `json:"text"`
	How      string `json:"how,omitempty"`
	Run      string `json:"run"`
	Again    string `json:"again"`
}

// WriteJSON writes the outcome as one JSON object.
func (o *Outcome) WriteJSON(w io.Writer) error {
	all := object{
		Verify: o.File, Shows: o.Shows, Verdict: o.Verdict, Why: o.Why, Steps: o.Steps, Fit: o.Fit, Kept: o.Kept,
		Changes: append([]string{}, o.Changes...), Runs: []seriesObject{}, Failed: o.Failed,
	}
	for _, s := range o.Runs {
		all.Runs = append(all.Runs, seriesObject{s.Kind, s.Runs})
	}
	if f := o.Found; f != nil {
		all.Found = &foundObject{f.Property, f.Text, f.How, f.Run, f.Again}
	}
	return report.WriteObject(w, all)
}
