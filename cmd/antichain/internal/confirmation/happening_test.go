package confirmation

import (
	"io"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// One attempt shows what happens, and further ones whether that happens again. What is only
// predicted there, or not wanted, is nothing.
func TestLook(t *testing.T) {
	known := abba(builtin.Observed)
	for _, tt := range []struct {
		name     string
		attempts []*Attempt
		runs     int
		detail   string
		shows    bool // what was predicted in the run before
		happens  bool
	}{
		{"it happens each time", []*Attempt{attempt(2, stuckAt(3, builtin.Observed))}, 6, "", true, true},
		{"once", []*Attempt{attempt(2, stuckAt(3, builtin.Observed)), attempt(2)}, 0, unsure, true, true},
		{"elsewhere", []*Attempt{attempt(2, stuckAt(4, builtin.Observed))}, 6, "", false, true},
		{"predicted", []*Attempt{attempt(2, stuckAt(3, builtin.Predicted))}, 1, "", false, false},
		{"not wanted", []*Attempt{attempt(1, known)}, 1, "", false, false},
	} {
		r := &runs{attempts: tt.attempts}
		c := &Confirmer{
			Extent: Wanted, Runner: r, Stderr: io.Discard,
			Program: func() (*schedule.Program, error) { return &schedule.Program{Executable: code{}}, nil },
			Keep: func(*schedule.Schedule, string) (file, again string, err error) {
				return "kept.schedule", "again", nil
			},
		}
		run := &Run{Visits: new(schedule.Visits), Names: names{}, Took: time.Millisecond}
		foretold := stuckAt(3, builtin.Predicted)
		s, err := c.scheduleOf(&foretold, run)
		if err != nil {
			t.Fatal(err)
		}
		h, err := c.Look(t.Context(), s, run, func(f *builtin.Finding, _ op.Names) bool {
			return f.Property != builtin.Deadlock
		})
		if err != nil {
			t.Fatal(err)
		}
		if (h.Finding != nil) != tt.happens || h.Confirmation.IsConfirmed() != tt.happens {
			t.Errorf("%s: %v, %v", tt.name, h.Finding, h.Confirmation)
		}
		if tt.runs > 0 && h.Done != tt.attempts[0].Kept.Done {
			t.Errorf("%s: %d steps", tt.name, h.Done)
		}
		if !tt.happens {
			if len(r.hows) != tt.runs {
				t.Errorf("%s: %d runs", tt.name, len(r.hows))
			}
			continue
		}
		if h.Confirmation.Detail != tt.detail || h.Confirmation.Again != "again" || len(r.hows) < tt.runs {
			t.Errorf("%s: %+v after %d runs", tt.name, h.Confirmation, len(r.hows))
		}
		if h.Shows(&foretold, names{}) != tt.shows {
			t.Errorf("%s: shows what was predicted: %t", tt.name, !tt.shows)
		}
		if observed := stuckAt(3, builtin.Observed); h.Shows(&observed, names{}) {
			t.Errorf("%s: shows what has happened before", tt.name)
		}
	}
}

// Goroutines that are stuck may be in a deadlock.
func TestStuckInDeadlock(t *testing.T) {
	wanted := stuckAt(3, builtin.Predicted)
	for _, tt := range []struct {
		found builtin.Finding
		want  bool
	}{
		{abba(builtin.Observed), true},
		{abba(builtin.Predicted), false},
		{builtin.Finding{Property: builtin.Deadlock, How: builtin.Observed, Parties: []builtin.Party{{At: 4}}}, false},
	} {
		if got := (target{&wanted, names{}}).isAmong([]builtin.Finding{tt.found}, names{}); got != tt.want {
			t.Errorf("%s at %v: %t", tt.found.How, tt.found.Parties, got)
		}
	}
}
