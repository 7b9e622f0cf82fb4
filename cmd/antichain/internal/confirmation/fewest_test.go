package confirmation

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/schedule"
)

// enough runs a program in which a deadlock happens if so many steps are kept.
type enough int

func (n enough) Run(_ context.Context, how How) (*Attempt, error) {
	if how.Schedule == nil || len(how.Schedule.Steps) < int(n) {
		return attempt(0), nil
	}
	return attempt(len(how.Schedule.Steps), abba(builtin.Observed)), nil
}

// A schedule is kept without the steps that come by themselves, but for one that says that somebody waits.
func TestFewest(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4} {
		kept := ""
		c := &Confirmer{
			Extent: Wanted, Runner: enough(n), Stderr: io.Discard,
			Program: func() (*schedule.Program, error) { return &schedule.Program{Executable: code{}}, nil },
			Keep: func(s *schedule.Schedule, property string) (file, again string, err error) {
				kept = s.String()
				return property + ".schedule", "again", nil
			},
		}
		f := abba(builtin.Reordered)
		result := &tlcheck.Result{Builtin: f.Property, Finding: &f}
		if err := c.Confirm(t.Context(), result, &Run{Visits: new(schedule.Visits), Names: names{}, Took: time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		if result.Confirmation.Outcome != tlcheck.Confirmed || strings.Count(kept, "\nmain.") != max(n, 3) {
			t.Errorf("%d steps are enough, %+v, kept %q", n, result.Confirmation, kept)
		}
	}
}
