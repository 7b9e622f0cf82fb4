//go:build unix

package agreement

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/findingset"
)

// wordsOf are the reports as they are, except for the name of the run, the command that shows a
// finding again, and whether the run could have leaked at all: a trace does not have functions that
// never ran.
func wordsOf(all []*findingset.Report) []string {
	var words []string
	for _, r := range all {
		o := r.BuiltinObject
		o.Trace, o.Vacuous = "", ""
		if o.FindingObject != nil {
			finding := *o.FindingObject
			finding.Again = ""
			o.FindingObject = &finding
		}
		text, err := json.Marshal(&o)
		if err != nil {
			panic(err) // it was read from JSON
		}
		words = append(words, string(text))
	}
	slices.Sort(words)
	return words
}

// renamed returns the verdicts that have several ids, which readers would take for several
// verdicts. A finding with better certainty or more goroutines counts as another one.
func renamed(all []*findingset.Report) (verdicts []string) {
	ids := map[string]string{}
	for _, r := range all {
		verdict := r.Run + " " + r.Builtin + " " + r.Error
		if r.FindingObject != nil {
			verdict += fmt.Sprint(findingset.Key(&r.BuiltinObject), " ", r.How, " of ", len(r.Parties))
		}
		if id, ok := ids[verdict]; ok && id != r.ID {
			verdicts = append(verdicts, verdict)
		}
		ids[verdict] = r.ID
	}
	return verdicts
}

// differences returns the elements of want that got lacks, after a minus, and those of got that
// want lacks, after a plus.
func differences(want, got []string) (all []string) {
	for _, s := range want {
		if !slices.Contains(got, s) {
			all = append(all, "- "+s)
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			all = append(all, "+ "+s)
		}
	}
	return all
}
