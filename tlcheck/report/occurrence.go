package report

import (
	"fmt"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

// RunsObject is the JSON form of tlcheck.Occurrence: which runs of a program show a finding or
// violation.
type RunsObject struct {
	Runs     int    `json:"runs"`
	Showing  int    `json:"showing"`
	Observed int    `json:"observed"`         // the number of these in which it happened
	Seed     uint64 `json:"seed,omitempty"`   // of the schedule of the reported run
	Yields   uint64 `json:"yields,omitempty"` // of the reported run, if it has no seed
}

// runsObject returns nil for a single run.
func runsObject(o *tlcheck.Occurrence) *RunsObject {
	if o == nil {
		return nil
	}
	return &RunsObject{o.Runs, o.Showing, o.Observed, o.Seed, o.Yields}
}

// occurrence prints which of several runs show it, and how to repeat one of these.
func (p *printer) occurrence(o *tlcheck.Occurrence) {
	if o == nil {
		return
	}
	p.printf("\nFound in %s.\n", occurrenceText(o))
	if o.Again != "" {
		p.printf("Show it again:\n    %s\n", event.Printable(o.Again))
	}
}

// occurrenceText says which runs show it: "3 of 51 runs, observed in 1, first with seed 7".
func occurrenceText(o *tlcheck.Occurrence) string {
	text := fmt.Sprintf("%d of %s", o.Showing, wording.Plural(o.Runs, "run"))
	if o.Observed > 0 && o.Observed < o.Showing {
		text += fmt.Sprintf(", observed in %d", o.Observed)
	}
	if o.Run != "" {
		text += ", first with " + event.Printable(o.Run)
	}
	return text
}
