package tlcheck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Assessment is a result together with what is known of it beyond the run that it was judged on.
// The result stays as it was judged.
type Assessment struct {
	*Result

	// Violations has all violations of a property of a specification, where they were asked for
	// (All, Count); else it is nil.
	Violations *Violations

	// Confirmation is what came of the attempts to make the finding happen, nil if there were none.
	Confirmation *Confirmation

	// Occurrence says which of several runs show the evidence, nil if there was one run.
	Occurrence *Occurrence

	// Known says why the evidence is no news, in the words of the list of what is known. It is ""
	// for news.
	Known string

	// Remedy says what would help where Covered says why not everything is certain; "" if nothing
	// would.
	Remedy string
}

// Assessment returns an assessment of the result that adds nothing to it.
func (r *Result) Assessment() *Assessment { return &Assessment{Result: r} }

func (a *Assessment) Assessment() *Assessment { return a }

// IsNews reports whether the result is to be reported, and counts: its evidence is not Known.
func (a *Assessment) IsNews() bool { return a.Known == "" }

// Coverage is Covered, with the remedy.
func (a *Assessment) Coverage() string { return a.Covered + a.Remedy }

// Also returns the assessment of one of the findings that are reported with that of the result.
func (a *Assessment) Also(i int) *Assessment {
	return &Assessment{Result: Also(a.Result, i), Known: a.Known}
}

// Occurrence says which of several runs of a program show a finding or violation. The result shows
// it as it is in the first of those runs with the best certainty: it happened there, if it happened
// in any.
type Occurrence struct {
	Runs     int    // of the program
	Showing  int    // of these, that show it
	Observed int    // of these, in which it happened
	Seed     uint64 // of the steered schedule of the run that the result is of, 0 if it was not steered
	Yields   uint64 // which decides where goroutines let others go first in that run, 0 if nothing does
	Run      string // what that run is called in reports; "" if it has no name
	Again    string // the command that repeats it, for reports; "" if there is none
}

// Confirmation is what came of running a program again to make a predicted finding happen. It never
// turns the finding off: what did not happen in these attempts may still be possible. See
// Assessment.Settle.
type Confirmation struct {
	Outcome  ConfirmationOutcome
	Attempts int    // that were made, the last one with this outcome
	Detail   string // what else is to be said: why it was not tried, or which step was not reached; "" if nothing is
	Schedule string // the file with the schedule that makes it happen again; "" if there is none
	Again    string // the command that has the program keep it, for reports; "" if there is none
}

// IsConfirmed reports whether it happened. It is false if nothing was tried (nil).
func (c *Confirmation) IsConfirmed() bool { return c != nil && c.Outcome == Confirmed }

// ConfirmationOutcome says what came of the attempts.
type ConfirmationOutcome uint8

// The outcomes, in the order of what they say about the finding.
const (
	NotTried     ConfirmationOutcome = iota // there is no way to steer a run there
	NotConfirmed                            // the program never came there
	Followed                                // it kept the order, and nothing failed
	Confirmed                               // it happened
)

// String returns the words that a report uses.
func (o ConfirmationOutcome) String() string {
	return [...]string{"not tried", "not confirmed", "order followed, nothing failed", "confirmed"}[o]
}

// Settle draws the conclusion from the confirmation of a built-in property. What is doubtful
// (builtin.Finding.IsDoubtful) and did not happen in any attempt is possible, and no violation;
// what happened is one.
func (a *Assessment) Settle() {
	if a.Confirmation == nil || a.Finding == nil || !a.Finding.IsDoubtful() {
		return
	}
	settled := *a.Result
	switch a.Confirmation.Outcome {
	case Confirmed:
		settled.Verdict = Violated
		settled.Finding = withCertainty(a.Finding, builtin.Possible, builtin.Predicted)
	case NotConfirmed, Followed:
		settled.Verdict = Possible
		settled.Finding = withCertainty(a.Finding, a.Finding.How, builtin.Possible)
	}
	a.Result = &settled
}

// withCertainty returns a copy of a finding, and of those with the same cause, in which one
// certainty is replaced by another.
func withCertainty(f *builtin.Finding, from, to builtin.Certainty) *builtin.Finding {
	changed := *f
	changed.Also = slices.Clone(f.Also)
	if changed.How == from {
		changed.How = to
	}
	for i := range changed.Also {
		if changed.Also[i].How == from {
			changed.Also[i].How = to
		}
	}
	return &changed
}
