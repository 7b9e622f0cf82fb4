package confirmation

import (
	"context"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// enough runs a program in which a deadlock happens if so many steps are kept.
type enough int

func (n enough) Run(_ context.Context, how How) (*Attempt, error) {
	if how.Schedule == nil || len(how.Schedule.Steps) < int(n) {
		return attempt(0), nil
	}
	return attempt(len(how.Schedule.Steps), abba(builtin.Observed)), nil
}

// A schedule is kept without the steps that come by themselves, but for one that says that somebody
// waits.
func TestFewest(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4} {
		got, kept := confirmed(t, abba(builtin.Reordered), enough(n))
		if got.Outcome != tlcheck.Confirmed || strings.Count(kept, "\nmain.") != max(n, 3) {
			t.Errorf("%d steps are enough, %+v, kept %q", n, got, kept)
		}
	}
}
