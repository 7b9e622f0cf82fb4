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

	// Confirmation is the outcome of the attempts to make the finding happen; nil if there were
	// none.
	Confirmation *Confirmation

	// Siblings has such outcomes for the findings that are reported with that of the result
	// (builtin.Finding.Also), in their order. It is nil if none of them was tried.
	Siblings []*Confirmation

	// Occurrence says which of several runs show the evidence, nil if there was one run.
	Occurrence *Occurrence

	// Known is the reason why the evidence counts as known, such as that of an entry in a baseline.
	// It is "" if the evidence is new.
	Known string

	// Again is the command that shows the evidence again, "" if none is known.
	Again string

	// Remedy says what would help where Covered says why not everything is certain; "" if nothing
	// would.
	Remedy string
}

// Assessment returns an assessment of the result that adds nothing to it.
func (r *Result) Assessment() *Assessment { return &Assessment{Result: r} }

func (a *Assessment) Assessment() *Assessment { return a }

// IsNews reports whether the evidence of the result is not Known. Only then is the result reported,
// and counted.
func (a *Assessment) IsNews() bool { return a.Known == "" }

// Coverage is Covered, with the remedy.
func (a *Assessment) Coverage() string { return a.Covered + a.Remedy }

// Also returns the assessment of one of the findings that are reported with that of the result.
func (a *Assessment) Also(i int) *Assessment {
	also := &Assessment{Result: Also(a.Result, i), Known: a.Known}
	if i < len(a.Siblings) {
		also.Confirmation = a.Siblings[i]
	}
	return also
}

// AddSiblings adds the outcomes of trying the findings with the same cause; outcome returns nil for
// one that was not tried. The first of them that happened leads the report, unless the finding that
// leads it now has happened.
func (a *Assessment) AddSiblings(outcome func(i int) *Confirmation) {
	for i := range a.Finding.Also {
		c := outcome(i)
		if c == nil {
			continue
		}
		if a.Siblings == nil {
			a.Siblings = make([]*Confirmation, len(a.Finding.Also))
		}
		a.Siblings[i] = c
	}
	if a.Confirmation.IsConfirmed() {
		return
	}
	if i := slices.IndexFunc(a.Siblings, (*Confirmation).IsConfirmed); i >= 0 {
		a.lead(i)
	}
}

// lead makes one of the findings with the same cause the one that leads the report.
func (a *Assessment) lead(i int) {
	head, rest := a.Finding.Also[i], *a.Finding
	rest.Also = nil
	head.Also = slices.Concat([]builtin.Finding{rest}, a.Finding.Also[:i], a.Finding.Also[i+1:])
	was := a.Confirmation
	a.Confirmation = a.Siblings[i]
	a.Siblings = slices.Concat([]*Confirmation{was}, a.Siblings[:i], a.Siblings[i+1:])
	led := *a.Result
	led.Finding, led.Builtin, led.Verdict = &head, head.Property, verdictOn(&head)
	a.Result = &led
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
	// the steps whose reversed order that run keeps, in words; nil if there are none
	Reversed []string
	Run      string // what that run is called in reports; "" if it has no name
	Again    string // the command that repeats it, for reports; "" if there is none
	// which deadline passed early in that run, as if code were slow, and without which it does not
	// show; "" if there is none
	RestsOn string
}

// Confirmation is the outcome of running a program again to make a predicted finding happen. It
// never dismisses the finding: a bug that did not happen in these attempts may still be possible.
// See Assessment.Settle, which draws the conclusions.
type Confirmation struct {
	Outcome  ConfirmationOutcome
	Attempts int    // that were made, the last one with this outcome
	Detail   string // what else is to be said: why it was not tried, or which step was not reached; "" if nothing is
	Schedule string // the file with the schedule that makes it happen again; "" if there is none
	Again    string // the command that has the program keep it, for reports; "" if there is none
}

// IsConfirmed reports whether it happened. It is false if nothing was tried (nil).
func (c *Confirmation) IsConfirmed() bool { return c != nil && c.Outcome == Confirmed }

// ConfirmationOutcome is the outcome of the attempts to make a finding happen.
type ConfirmationOutcome uint8

// The outcomes. The further down, the more an outcome shows about the finding.
const (
	NotTried    ConfirmationOutcome = iota // there is no way to steer a run there
	NotFollowed                            // it is unknown why one did not come there
	Diverged                               // in each attempt the program went another way
	Followed                               // the same, or it kept the order and nothing failed
	Confirmed                              // it happened
)

// String returns the words that a report uses.
func (o ConfirmationOutcome) String() string {
	return [...]string{
		"not tried", "order not followed", "program went another way",
		"order followed, nothing failed", "confirmed",
	}[o]
}

// refutes reports whether the attempts show that a doubtful finding does not happen.
func (c *Confirmation) refutes() bool {
	return c != nil && (c.Outcome == Diverged || c.Outcome == Followed)
}

// Settle draws the conclusions from the attempts, separately for each of the findings with one
// cause. A finding that is doubtful (builtin.Finding.IsDoubtful) is possible, and no violation, if
// each attempt kept the order or showed that the program goes another way; one that happened is a
// violation. A finding that remains a violation leads the report.
func (a *Assessment) Settle() {
	if a.Finding == nil || a.Confirmation == nil && a.Siblings == nil {
		return
	}
	f, settled := *a.Finding, *a.Result
	f.Also = slices.Clone(f.Also)
	if f.How = a.Confirmation.settle(&f); f.How != a.Finding.How {
		settled.Verdict = verdictOn(&f)
	}
	lead := -1
	for i, c := range a.Siblings {
		other := &f.Also[i]
		other.How = c.settle(other)
		if f.How == builtin.Possible && other.How != builtin.Possible && lead < 0 {
			lead = i
		}
	}
	settled.Finding, a.Result = &f, &settled
	if lead >= 0 {
		a.lead(lead)
	}
}

// settle returns how a finding is known after the attempts.
func (c *Confirmation) settle(f *builtin.Finding) builtin.Certainty {
	switch {
	case c == nil || !f.IsDoubtful():
	case c.refutes():
		return builtin.Possible
	case c.IsConfirmed() && f.How == builtin.Possible:
		return builtin.Predicted
	}
	return f.How
}
