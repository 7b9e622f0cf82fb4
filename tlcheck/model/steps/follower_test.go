package steps

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// TestFollower compares the progress of each prefix of a random sequence with the definition. After
// Missed, no longer prefix satisfies the formula.
func TestFollower(t *testing.T) {
	reached, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr := newTrial(t)
		along, err := NewFollower(tr.sys, tr.f)
		if err != nil {
			t.Fatal(err)
		}
		states := []kripke.State{0}
		gone := false
		for {
			got, err := along.Read(context.Background(), states[len(states)-1])
			if err != nil {
				t.Fatal(err)
			}
			if want := tr.holds(states); want != (got == Reached) || want && gone {
				t.Fatalf("%s of %v: %v, but %v; missed before: %v", tr.f, states, got, want, gone)
			}
			if got == Reached {
				reached++
			}
			if got == Missed {
				gone = true
				missed++
			}
			next := tr.x.Succ[states[len(states)-1]]
			if len(next) == 0 || len(states) == 8 {
				return
			}
			states = append(states, kripke.State(rapid.SampledFrom(next).Draw(t, "next")))
		}
	})
	if (reached == 0 || missed == 0) && !testing.Short() {
		t.Errorf("%d sequences reached their formulas, %d missed them", reached, missed)
	}
}
