package recurrence

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// find runs a test again that fails with these yields, of which 0 are none.
func find(t *testing.T, fails func(yields uint64) bool) (*Recurrence, map[uint64]int) {
	t.Helper()
	made := make(map[uint64]int)
	r, err := Find(t.Context(), "TestX", 7, func(_ context.Context, k Kind) (Outcome, error) {
		made[k.Yields]++
		return Outcome{Failed: fails(k.Yields), Timed: k.Yields == 8}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, made
}

// A test runs as often with goroutines that let others go first as without, first as in the run in
// which it failed.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fails func(uint64) bool
		want  string
	}{
		{"rare", func(y uint64) bool { return y == 7 || y == 9 }, "TestX fails in a rare order: run again alone, it failed in 2 of 5 runs in which goroutines yield to others (--yields 7 to 11), and in 0 of 5 runs in which they do not; its goroutines set timers, so the failure may depend on time"},
		{"always", func(uint64) bool { return true }, "TestX always fails: run again alone, it failed in 5 of 5 runs in which goroutines yield to others (--yields 7 to 11), and in 5 of 5 runs in which they do not; its goroutines"},
		{"never", func(uint64) bool { return false }, "TestX did not fail again: run again alone, it failed in 0 of 5 runs in which goroutines yield to others, and in 0 of 5 runs in which they do not"},
		{"without", func(y uint64) bool { return y == 0 }, "TestX fails in other orders, too: run again alone, it failed in 0 of 5 runs in which goroutines yield to others, and in 5 of 5 runs in which they do not"},
	} {
		r, made := find(t, tt.fails)
		if got := r.String(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
		if made[0] != Runs || made[7] != 1 || made[11] != 1 || len(made) != 1+Runs {
			t.Errorf("%s: runs %v", tt.name, made)
		}
	}
}

// Runs that do not end are not counted as failures, and an error or the end of the context ends
// all.
func TestFindUnended(t *testing.T) {
	r, err := Find(t.Context(), "TestX", 1, func(_ context.Context, k Kind) (Outcome, error) {
		return Outcome{Failed: true, Unended: k.Yields == 1 || k.Yields == 0}, nil
	})
	if err != nil || r.With != (Tally{4, 4}) || r.Without != (Tally{}) || r.Unended != 1+Runs || !strings.Contains(r.String(), "TestX fails again: ") {
		t.Errorf("%+v, %v", r, err)
	}
	broken := errors.New("broken")
	if _, err := Find(t.Context(), "TestX", 1, func(context.Context, Kind) (Outcome, error) { return Outcome{}, broken }); err != broken {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, err := Find(ctx, "TestX", 1, func(context.Context, Kind) (Outcome, error) { return Outcome{}, nil }); err != broken {
		t.Error(err)
	}
}
