package confirmation

import (
	"io"
	"slices"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// stuckAt is a goroutine that waits at a place for a lock that main.2 has left.
func stuckAt(at op.Place, how builtin.Certainty) builtin.Finding {
	return builtin.Finding{
		Property: builtin.Stuck, How: how,
		Parties: []builtin.Party{{Task: 1, Kind: op.Lock, At: at}},
		Schedule: []op.Step{
			{Task: 2, Other: op.NoTask, Kind: op.Lock, At: 1, K: 1},
			{Task: 1, Other: op.NoTask, Kind: op.Block, At: at},
		},
	}
}

// Findings with one cause are tried in turn, until one happens.
func TestSiblings(t *testing.T) {
	vain := missed(1, ring.MissedEnded)
	happens := func(at op.Place) *Attempt { return attempt(2, stuckAt(at, builtin.Observed)) }
	type outcomes = []tlcheck.ConfirmationOutcome
	for _, tt := range []struct {
		name     string
		attempts []*Attempt // of each finding in turn
		lead     op.Place
		outcomes []tlcheck.ConfirmationOutcome // of the lead and the others, 0: not tried
		runs     int
	}{
		{"the head", []*Attempt{happens(3)}, 3, outcomes{tlcheck.Confirmed}, 1},
		{"the first sibling", []*Attempt{vain, happens(4)}, 4, outcomes{tlcheck.Confirmed, tlcheck.Diverged, 0}, 2},
		{"the second sibling", []*Attempt{vain, attempt(0), vain, vain, attempt(0), happens(5)}, 5,
			outcomes{tlcheck.Confirmed, tlcheck.Diverged, tlcheck.NotFollowed}, 6},
		{"none", []*Attempt{vain}, 3, outcomes{tlcheck.Diverged, tlcheck.Diverged, tlcheck.Diverged}, 6},
	} {
		f := stuckAt(3, builtin.Reordered)
		f.Also = []builtin.Finding{
			stuckAt(4, builtin.Reordered), stuckAt(5, builtin.Reordered), stuckAt(6, builtin.Observed),
		}
		r := &runs{attempts: tt.attempts}
		c := &Confirmer{
			Extent: Extent{Attempts: 2, Time: time.Minute}, Runner: r, Stderr: io.Discard,
			Program: func() (*schedule.Program, error) {
				return &schedule.Program{Executable: code{}}, nil
			},
			Keep: func(*schedule.Schedule, string) (file, again string, err error) { return "", "", nil },
		}
		a := (&tlcheck.Result{Builtin: f.Property, Finding: &f}).Assessment()
		run := &Run{Visits: new(schedule.Visits), Names: names{}}
		if err := c.Confirm(t.Context(), a, run); err != nil {
			t.Fatal(err)
		}
		got := []tlcheck.ConfirmationOutcome{a.Confirmation.Outcome}
		for i := range tt.outcomes[1:] {
			outcome := tlcheck.NotTried
			if tried := a.Also(i).Confirmation; tried != nil {
				outcome = tried.Outcome
			}
			got = append(got, outcome)
		}
		at := a.Finding.Parties[0].At
		if at != tt.lead || !slices.Equal(got, tt.outcomes) || len(r.hows) != tt.runs ||
			len(a.Finding.Also) != 3 {
			t.Errorf("%s: led by the one at %d, %v, after %d runs", tt.name, at, got, len(r.hows))
		}
	}
}

// That a goroutine keeps a lock has happened, also where it is only possible that it does harm. So
// only what it leads to is tried.
func TestTriesNoKeptLock(t *testing.T) {
	c := &Confirmer{}
	kept := builtin.Finding{Property: builtin.Unlock, How: builtin.Possible, AtEnd: true}
	if c.triesAny(&kept) {
		t.Error("a kept lock is tried")
	}
	kept.Also = []builtin.Finding{stuckAt(3, builtin.Reordered)}
	if !c.triesAny(&kept) || c.tries(&kept) {
		t.Error("what waits for a kept lock is not tried by itself")
	}
	early := builtin.Finding{Property: builtin.Unlock, How: builtin.Possible}
	if !c.tries(&early) {
		t.Error("an unlock that may come too early is not tried")
	}
}
