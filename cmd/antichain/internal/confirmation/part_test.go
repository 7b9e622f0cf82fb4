package confirmation

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// A finding is looked for in a run of its part of the program, and steered to as it is there.
func TestPart(t *testing.T) {
	renamed := abba(builtin.Reordered)
	renamed.Parties[0].Task, renamed.Parties[1].Task = 5, 6
	for i := range renamed.Schedule {
		renamed.Schedule[i].Task += 4
	}
	broken := errors.New("broken")
	for _, tt := range []struct {
		name         string
		part, whole  []*Attempt
		outcome      tlcheck.ConfirmationOutcome
		runs, others int // of the part, and of the whole program
		detail       string
		first        string // goroutine of the first step that was kept
	}{
		{"under its names", []*Attempt{attempt(0, renamed), attempt(4, abba(builtin.Observed))}, nil, tlcheck.Confirmed, 2, 0, "", "main.5"},
		{"at once", []*Attempt{attempt(0, abba(builtin.Observed))}, nil, tlcheck.Confirmed, 1, 0, withoutSchedule, ""},
		{"not in the part", []*Attempt{attempt(0)}, []*Attempt{attempt(4, abba(builtin.Observed))}, tlcheck.Confirmed, 1, 1, "", "main.1"},
		{"in vain", []*Attempt{attempt(0, renamed), attempt(1)}, nil, tlcheck.NotFollowed, 6, 0, "step 2 of 4 was not reached: main.6: lock at m.go:2; " + otherNames, ""},
		{"in vain, under its names", []*Attempt{attempt(0, abba(builtin.Reordered)), attempt(1)}, nil, tlcheck.NotFollowed, 6, 0, "step 2 of 4 was not reached: main.2: lock at m.go:2", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := ""
			keep := func(s *schedule.Schedule, property string) (file, again string, err error) {
				first = s.Steps[0].Goroutine
				return "file", "again", nil
			}
			part, whole := &runs{attempts: tt.part}, &runs{attempts: tt.whole}
			if tt.whole == nil {
				whole.err = broken
			}
			finding := abba(builtin.Reordered)
			r := &tlcheck.Result{Finding: &finding}
			c := &Confirmer{
				Extent: Usual, Runner: whole, Keep: keep, Stderr: io.Discard,
				Part:    func(*tlcheck.Result) *Part { return &Part{part, keep} },
				Program: func() (*schedule.Program, error) { return &schedule.Program{Executable: code{}}, nil },
			}
			a := r.Assessment()
			run := &Run{Visits: new(schedule.Visits), Names: names{}, Took: time.Millisecond}
			if err := c.Confirm(t.Context(), a, run); err != nil {
				t.Fatal(err)
			}
			got := a.Confirmation
			if got.Outcome != tt.outcome || got.Detail != tt.detail || len(part.hows) != tt.runs || len(whole.hows) != tt.others || first != tt.first {
				t.Errorf("%+v after %d and %d runs, first %q", got, len(part.hows), len(whole.hows), first)
			}
			if part.hows[0].Visits == nil || part.hows[0].Schedule != nil {
				t.Error("the first run of the part is no ordinary one that is watched")
			}
		})
	}
}

// Only what is doubtful is confirmed where nobody asks for more.
func TestUsual(t *testing.T) {
	finding := abba(builtin.Predicted)
	a := (&tlcheck.Result{Finding: &finding}).Assessment()
	c := &Confirmer{Extent: Usual, Runner: &runs{}, Stderr: io.Discard}
	if err := c.Confirm(t.Context(), a, &Run{Names: names{}}); err != nil || a.Confirmation != nil {
		t.Errorf("%v, %+v", err, a.Confirmation)
	}
}
