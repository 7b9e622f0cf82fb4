package confirmation

import (
	"context"
	"errors"
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

// names call goroutine n main.n, and a place by its number in m.go.
type names struct{}

func (names) Task(t op.Task) op.Origin {
	if t == 0 {
		return op.Origin{Name: "main", By: op.NoTask}
	}
	return op.Origin{Name: "main." + string(rune('0'+t)), By: 0, At: 100}
}

func (names) Object(op.Object) string { return "mutex 1" }

func (names) Place(p op.Place) op.Location {
	return op.Location{At: "m.go:" + string(rune('0'+p%100)), Called: true}
}

// code has all lines.
type code struct{}

func (code) UserCode() []ring.Code { return nil }

func (code) Lines(wanted map[string]bool) map[string][]ring.Code {
	all := make(map[string][]ring.Code)
	for at := range wanted {
		all[at] = []ring.Code{{Lo: 1, Hi: 2}}
	}
	return all
}

// runs are what comes of the attempts, one after the other. The last one comes again and again.
type runs struct {
	attempts []*Attempt
	err      error
	hows     []How
}

func (r *runs) Run(_ context.Context, how How) (*Attempt, error) {
	n := min(len(r.hows), len(r.attempts)-1)
	r.hows = append(r.hows, how)
	if r.err != nil {
		return nil, r.err
	}
	return r.attempts[n], nil
}

// abba is a deadlock of main.1 at m.go:3 and main.2 at m.go:4.
func abba(how builtin.Certainty) builtin.Finding {
	return builtin.Finding{
		Property: builtin.Deadlock, How: how,
		Parties: []builtin.Party{{Task: 1, Kind: op.Lock, At: 3}, {Task: 2, Kind: op.Lock, At: 4}},
		Schedule: []op.Step{
			{Task: 1, Other: op.NoTask, Kind: op.Lock, At: 1, K: 1}, {Task: 2, Other: op.NoTask, Kind: op.Lock, At: 2, K: 1},
			{Task: 1, Other: op.NoTask, Kind: op.Block, At: 3}, {Task: 2, Other: op.NoTask, Kind: op.Block, At: 4},
		},
	}
}

func race() builtin.Finding {
	return builtin.Finding{
		Property: builtin.Race, How: builtin.Predicted,
		Parties: []builtin.Party{{Task: 1, Kind: op.Write, At: 1}, {Task: 2, Kind: op.Read, At: 2}},
		Schedule: []op.Step{
			{Task: 1, Other: op.NoTask, Kind: op.Write, At: 1}, {Task: 2, Other: op.NoTask, Kind: op.Read, At: 2},
		},
	}
}

// hiddenRace is a race of which the schedule has a section.
func hiddenRace() builtin.Finding {
	f := race()
	f.Schedule = append([]op.Step{
		{Task: 2, Other: op.NoTask, Kind: op.Lock, At: 3, K: 1}, {Task: 2, Other: op.NoTask, Kind: op.Unlock, At: 4, K: 2},
	}, f.Schedule...)
	return f
}

// reversedRace is a race in which main.1's section comes after one of main.2, other than in the
// run.
func reversedRace() builtin.Finding {
	f := hiddenRace()
	f.Reverses = true
	f.Schedule = slices.Insert(f.Schedule, 2, op.Step{Task: 1, Other: op.NoTask, Kind: op.Lock, At: 5, K: 1})
	return f
}

func attempt(done int, found ...builtin.Finding) *Attempt {
	return &Attempt{Findings: found, Names: names{}, Kept: ring.Progress{Done: done}}
}

// missed is an attempt in which the goroutine of the step behind so many did that.
func missed(done int, why ring.Missed) *Attempt {
	a := attempt(done)
	a.Kept.Missed = why
	return a
}

// confirmed tries a finding, and returns what came of it and the schedule that was kept.
func confirmed(t *testing.T, f builtin.Finding, r Runner) (told *tlcheck.Confirmation, kept string) {
	t.Helper()
	c := &Confirmer{
		Extent: Wanted, Runner: r, Stderr: io.Discard,
		Program: func() (*schedule.Program, error) { return &schedule.Program{Executable: code{}}, nil },
		Keep: func(s *schedule.Schedule, property string) (file, again string, err error) {
			kept = s.String()
			return property + ".schedule", "again", nil
		},
	}
	result := &tlcheck.Result{Builtin: f.Property, Finding: &f}
	a := result.Assessment()
	run := &Run{Visits: new(schedule.Visits), Names: names{}, Took: time.Millisecond}
	if err := c.Confirm(t.Context(), a, run); err != nil {
		t.Fatal(err)
	}
	return a.Confirmation, kept
}

// TestConfirm has outcomes of attempts, and what is said of them.
func TestConfirm(t *testing.T) {
	stuckBoth := builtin.Finding{Property: builtin.Stuck, How: builtin.Observed, Parties: []builtin.Party{{Task: 3, At: 3}, {Task: 4, At: 4}}}
	stuckOne := builtin.Finding{Property: builtin.Stuck, How: builtin.Observed, Parties: []builtin.Party{{Task: 3, At: 3}}}
	mixed := abba(builtin.Reordered) // of a lock and a channel
	mixed.Parties[1].Kind = op.Send
	failed := attempt(4)
	failed.Failed = true
	withoutInput := missed(1, ring.MissedEnded)
	withoutInput.Kept.Input = true
	unsure := func(a *Attempt) *Attempt {
		a.Kept.Unsure = true
		return a
	}
	for _, tt := range []struct {
		name     string
		finding  builtin.Finding
		attempts []*Attempt
		outcome  tlcheck.ConfirmationOutcome
		tried    int
		detail   string
		kept     bool
	}{
		{"at once", abba(builtin.Reordered), []*Attempt{attempt(4, abba(builtin.Observed))}, tlcheck.Confirmed, 1, "", true},
		{"at last", abba(builtin.Reordered), []*Attempt{attempt(2), attempt(4), attempt(4, stuckBoth)}, tlcheck.Confirmed, 3, "", true},
		{"only predicted again", abba(builtin.Reordered), []*Attempt{attempt(1, abba(builtin.Reordered))}, tlcheck.NotFollowed, 10,
			"step 2 of 4 was not reached: main.2: lock at m.go:2", false},
		{"the best attempt is told of", abba(builtin.Reordered), []*Attempt{attempt(1), attempt(3), attempt(0)}, tlcheck.NotFollowed, 10,
			"step 4 of 4 was not reached: main.2: waits at m.go:4", false},
		{"one of them waits", abba(builtin.Reordered), []*Attempt{attempt(3, stuckOne)}, tlcheck.NotFollowed, 10,
			"step 4 of 4 was not reached: main.2: waits at m.go:4", false},
		{"without consequences", mixed, []*Attempt{attempt(4)}, tlcheck.Followed, 10, "", false},
		{"each waits for a lock, and goes on", abba(builtin.Reordered), []*Attempt{attempt(4)},
			tlcheck.NotFollowed, 10,
			"each goroutine waited as it should, but another one woke it", false},
		{"with others", abba(builtin.Reordered), []*Attempt{failed}, tlcheck.NotFollowed, 10, "the steps were done, and the program failed in another way", false},
		{"another way", abba(builtin.Reordered), []*Attempt{missed(1, ring.MissedEnded)}, tlcheck.Diverged, 10,
			"step 2 of 4 was not reached: main.2: lock at m.go:2, since main.2 had ended", false},
		{"another way, or without consequences", mixed, []*Attempt{missed(1, ring.MissedWaits), attempt(4)},
			tlcheck.Followed, 10, "", false},
		{"another way, but for one attempt", abba(builtin.Reordered), []*Attempt{missed(3, ring.MissedRounds), missed(1, ring.MissedTime), missed(2, ring.MissedEnded)}, tlcheck.NotFollowed, 10,
			"step 2 of 4 was not reached: main.2: lock at m.go:2, since main.2 waited for time to go by, or for a goroutine that did; --confirm=30 tries more often", false},
		{"without input", abba(builtin.Reordered), []*Attempt{withoutInput}, tlcheck.NotFollowed, 10,
			"step 2 of 4 was not reached: main.2: lock at m.go:2, since main.2 had ended; " +
				"the program reads standard input, which is empty in attempts; let it read a file instead", false},
		{"without consequences, but for one attempt", mixed, []*Attempt{missed(3, ring.MissedUnstarted),
			attempt(4)}, tlcheck.NotFollowed, 10,
			"step 4 of 4 was not reached: main.2: waits at m.go:4, since main.2 was never started; " +
				"--explore 50 looks for a run that starts it", false},
		{"perhaps by other operations", abba(builtin.Reordered), []*Attempt{unsure(attempt(4))},
			tlcheck.NotFollowed, 10,
			"the steps were done, but perhaps by other operations on these lines; " +
				"--explore 50 tries other orders", false},
		{"another way, perhaps behind other operations", abba(builtin.Reordered),
			[]*Attempt{unsure(missed(1, ring.MissedEnded))}, tlcheck.NotFollowed, 10,
			"step 2 of 4 was not reached: main.2: lock at m.go:2, since main.2 had ended; " +
				"other operations on these lines may have been taken for steps; " +
				"--explore 50 tries other orders", false},
		{"another way, and once perhaps behind other operations", abba(builtin.Reordered),
			[]*Attempt{unsure(missed(2, ring.MissedTime)), missed(3, ring.MissedUnhindered)},
			tlcheck.Diverged, 10, "step 4 of 4 was not reached: main.2: waits at m.go:4, " +
				"since main.2 did not have to wait there", false},
		{"race", race(), []*Attempt{attempt(1), attempt(2)}, tlcheck.Confirmed, 2, "", true},
		{"race behind a section", hiddenRace(), []*Attempt{attempt(1), attempt(2)}, tlcheck.Confirmed, 2, "", true},
		{"race in a section", reversedRace(), []*Attempt{attempt(2), attempt(4), attempt(5)}, tlcheck.Confirmed, 3, "", true},
		{"another order", reversedRace(), []*Attempt{attempt(1), attempt(2)}, tlcheck.NotFollowed, 10, "step 3 of 5 was not reached: main.1: lock at m.go:5", false},
		{"no access in a section", reversedRace(), []*Attempt{attempt(3)}, tlcheck.NotFollowed, 10, "no goroutine came to one of the two accesses", false},
		{"no race", race(), []*Attempt{attempt(1, race())}, tlcheck.NotFollowed, 10, "no two goroutines were about to make the two accesses at once", false},
		{"no access", race(), []*Attempt{attempt(0)}, tlcheck.NotFollowed, 10, "no goroutine came to one of the two accesses", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, kept := confirmed(t, tt.finding, &runs{attempts: tt.attempts})
			if got.Outcome != tt.outcome || got.Attempts != tt.tried || got.Detail != tt.detail || (kept != "") != tt.kept || (got.Schedule != "") != tt.kept {
				t.Errorf("%+v, kept %q", got, kept)
			}
		})
	}
}

// What was seen is not tried. An error of a run is one of the confirmation.
func TestNotConfirmed(t *testing.T) {
	observed, predicted := abba(builtin.Observed), abba(builtin.Reordered)
	broken := errors.New("broken")
	r := &runs{attempts: []*Attempt{nil}, err: broken}
	c := &Confirmer{Extent: Extent{Attempts: 1, Time: time.Second}, Runner: r, Stderr: io.Discard,
		Program: func() (*schedule.Program, error) { return &schedule.Program{Executable: code{}}, nil }}
	run := &Run{Visits: new(schedule.Visits), Names: names{}}
	seen := &tlcheck.Result{Finding: &observed}
	a := seen.Assessment()
	if err := c.Confirm(t.Context(), a, run); err != nil || a.Confirmation != nil || len(r.hows) > 0 {
		t.Errorf("%v, %+v", err, a.Confirmation)
	}
	if err := c.Confirm(t.Context(), (&tlcheck.Result{Finding: &predicted}).Assessment(), run); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
