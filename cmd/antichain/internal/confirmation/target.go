package confirmation

import (
	"context"
	"maps"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// target is a finding that is to happen.
type target struct {
	*builtin.Finding
	names op.Names
}

func (t target) String() string { return string(t.Property) }

// reached implements goal.
func (t target) reached(_ context.Context, a *Attempt) (bool, error) {
	if t.Property == builtin.Race { // two goroutines are to be held at the accesses at once
		return a.Kept.Done == len(operationsOf(t.Finding)), nil
	}
	return t.isAmong(a.Findings, a.Names), nil
}

// isAmong reports whether the finding is among those of another run, as observed: of the same
// property, at a place of one of its goroutines. A deadlock that other goroutines could still end
// is observed as goroutines that are stuck, and goroutines that are stuck may be in a deadlock.
func (t target) isAmong(found []builtin.Finding, names op.Names) bool {
	if t.Property == builtin.Deadlock {
		return t.allWait(found, names)
	}
	wanted := placesOf(t.Finding, t.names)
	for i := range found {
		f := &found[i]
		places := placesOf(f, names)
		if t.Property == builtin.Stuck && f.Property == builtin.Deadlock && f.How == builtin.Observed &&
			places[t.names.Place(t.Parties[0].At).At] {
			return true
		}
		if f.Property != t.Property {
			continue
		}
		if f.How == builtin.Observed && shares(wanted, places) || t.isShownBy(f) && maps.Equal(wanted, places) {
			return true
		}
	}
	return false
}

// isShownBy reports whether a finding of another run, at the same places, shows that the target can
// happen there without being an event. That an Add comes too late for a Wait is none: a run that
// keeps the order shows it by predicting what sections excluded before. Another prediction for one
// of the two operations shows nothing.
func (t target) isShownBy(f *builtin.Finding) bool {
	return t.Property == builtin.WaitGroup && t.Sectioned && !f.Sectioned && f.How == builtin.Predicted
}

func shares(a, b map[string]bool) bool {
	for at := range a {
		if b[at] {
			return true
		}
	}
	return false
}

// allWait reports whether some goroutine is stuck at each place where one waits in the deadlock.
func (t target) allWait(found []builtin.Finding, names op.Names) bool {
	waits := make(map[string]bool)
	for i := range found {
		if f := &found[i]; f.How == builtin.Observed && (f.Property == builtin.Deadlock || f.Property == builtin.Stuck) {
			maps.Copy(waits, placesOf(f, names))
		}
	}
	for at := range placesOf(t.Finding, t.names) {
		if !waits[at] {
			return false
		}
	}
	return true
}

// placesOf returns where those are who take part in a finding.
func placesOf(f *builtin.Finding, names op.Names) map[string]bool {
	places := make(map[string]bool)
	for _, p := range f.Parties {
		places[names.Place(p.At).At] = true
	}
	return places
}
