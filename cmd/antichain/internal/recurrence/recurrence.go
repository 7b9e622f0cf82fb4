// Package recurrence runs a failed test again alone, to find out how often it fails: in runs in
// which goroutines let others go first, and in as many in which they do not.
package recurrence

import (
	"context"
	"fmt"
	"time"
)

// Limits for the runs of one test.
const (
	Runs  = 5                // of each kind
	Time  = 10 * time.Second // for each kind
	Tests = 5                // of a test binary that are run again
)

// Kind says how a test is run again.
type Kind struct {
	Yields uint64        // decides where goroutines let others go first; 0: they do not
	Limit  time.Duration // after which the run is ended
}

// Outcome is the result of a run.
type Outcome struct {
	Failed  bool
	Unended bool // it was ended, and says nothing
	Timed   bool // goroutines of the test have set timers
}

// Runner runs the test.
type Runner func(context.Context, Kind) (Outcome, error)

// Tally counts runs that came to an end.
type Tally struct {
	Failed int `json:"failed"`
	Runs   int `json:"runs"`
}

// Recurrence says how often a test failed again.
type Recurrence struct {
	Test string `json:"test"`
	// of the first run in which goroutines yield to others; in the others it counts up
	Yields  uint64 `json:"yields"`
	With    Tally  `json:"with"`    // goroutines let others go first
	Without Tally  `json:"without"` // they do not
	Unended int    `json:"unended,omitempty"`
	Timed   bool   `json:"timers,omitempty"` // goroutines of the test have set timers
}

// Find runs a test again. The first run has yields, the number of the failed run. The error is that
// of a run, or of the context.
func Find(ctx context.Context, test string, yields uint64, run Runner) (*Recurrence, error) {
	r := &Recurrence{Test: test, Yields: yields}
	if err := r.runKind(ctx, &r.With, func(n uint64) uint64 { return yields + n }, run); err != nil {
		return nil, err
	}
	if err := r.runKind(ctx, &r.Without, func(uint64) uint64 { return 0 }, run); err != nil {
		return nil, err
	}
	return r, nil
}

// runKind repeats the test under one kind of schedule, and counts in t how often it fails.
func (r *Recurrence) runKind(ctx context.Context, t *Tally, yields func(n uint64) uint64, run Runner) error {
	bounded, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	for n := range uint64(Runs) {
		o, err := run(bounded, Kind{Yields: yields(n), Limit: Time})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case bounded.Err() != nil:
			r.Unended++
			return nil
		case err != nil:
			return err
		case o.Unended:
			r.Unended++
			continue
		}
		t.Runs++
		if o.Failed {
			t.Failed++
		}
		r.Timed = r.Timed || o.Timed
	}
	return nil
}

// String says how often the test failed again, and what that means.
func (r *Recurrence) String() string {
	text := fmt.Sprintf("%s %s: run again alone, it failed in %s in which goroutines yield to others%s, and in %s in which they do not",
		r.Test, r.meaning(), r.With, r.flags(), r.Without)
	if r.Unended > 0 {
		text += fmt.Sprintf("; %d did not end in time", r.Unended)
	}
	if r.Timed && r.With.Failed+r.Without.Failed > 0 {
		text += "; its goroutines set timers, so the failure may depend on time"
	}
	return text
}

// meaning interprets the failures.
func (r *Recurrence) meaning() string {
	switch with, without := r.With, r.Without; {
	case with.Runs+without.Runs == 0:
		return "could not be run again in time"
	case with.Failed+without.Failed == 0:
		return "did not fail again"
	case without.Runs == 0:
		return "fails again"
	case without.Failed == 0:
		return "fails in a rare order"
	case with.Failed == with.Runs && without.Failed == without.Runs:
		return "always fails"
	}
	return "fails in other orders, too"
}

// flags names the runs in which goroutines yield to others.
func (r *Recurrence) flags() string {
	if r.With.Failed == 0 {
		return ""
	}
	return fmt.Sprintf(" (--yields %d to %d)", r.Yields, r.Yields+Runs-1)
}

// String is the count in words.
func (t Tally) String() string { return fmt.Sprintf("%d of %d runs", t.Failed, t.Runs) }
