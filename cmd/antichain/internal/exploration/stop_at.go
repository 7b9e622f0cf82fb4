package exploration

import (
	"errors"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// StopAt says which of several runs of a program is the last.
type StopAt string

const (
	StopAtFirst     StopAt = "first"     // that violates a property or fails
	StopAtConfirmed StopAt = "confirmed" // in which a violation happened or was confirmed, or which fails
	StopNever       StopAt = "never"
)

// Set takes a name.
func (s *StopAt) Set(name string) error {
	switch StopAt(name) {
	case StopAtFirst, StopAtConfirmed, StopNever:
		*s = StopAt(name)
		return nil
	}
	return errors.New("must be first, confirmed or never")
}

func (s *StopAt) String() string { return string(*s) }

// Type is what the flag's value is called.
func (s *StopAt) Type() string { return "WHICH" }

// Stops reports whether a run with these results is the last.
func (s StopAt) Stops(run *execution.Conclusion, results []*tlcheck.Assessment) bool {
	if s == StopNever || !run.IsNotable() {
		return false
	}
	if s == StopAtFirst || run.Fails() {
		return true
	}
	for _, r := range results {
		if r.Verdict == tlcheck.Violated && r.IsNews() && (r.How() == builtin.Observed || r.Confirmation.IsConfirmed()) {
			return true
		}
	}
	return false
}
