package tlcheck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Confirmation is what came of running a program again to make a predicted finding happen. It never
// turns the finding off: what did not come about in so many attempts may still be possible. See
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
