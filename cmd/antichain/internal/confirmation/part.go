package confirmation

import (
	"context"
	"maps"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Part is a part of the program that runs by itself, such as one test of many.
type Part struct {
	Runner Runner
	Keep   Keep
}

// confirmPart tries a finding in the part of the program that it is of. Goroutines have other names
// there, and come to a line another number of times, so it is found there first. If it is not, the
// whole program runs.
func (c *Confirmer) confirmPart(ctx context.Context, r *tlcheck.Result, run *Run, part *Part) (*tlcheck.Confirmation, error) {
	alone := *c
	alone.Runner, alone.Keep, alone.Part = part.Runner, part.Keep, nil
	if r.Finding.Property == builtin.Race { // whose goroutines are whoever comes there
		return alone.confirmIn(ctx, r.Finding, run)
	}
	visits, start := new(schedule.Visits), time.Now()
	bounded, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	a, err := part.Runner.Run(bounded, How{Visits: visits, Limit: attemptTimeout(run.Took)})
	if bounded.Err() != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return c.confirmIn(ctx, r.Finding, run)
	}
	if err != nil {
		return nil, err
	}
	wanted := target{r.Finding, run.Names}
	if wanted.isAmong(a.Findings, a.Names) {
		return &tlcheck.Confirmation{Outcome: tlcheck.Confirmed, Attempts: 1, Detail: withoutSchedule}, nil
	}
	if f := wanted.sameFinding(a.Findings, a.Names); f != nil {
		outcome, err := alone.confirmIn(ctx, f, &Run{Visits: visits, Names: a.Names, Took: time.Since(start)})
		if outcome != nil && outcome.Outcome == tlcheck.NotConfirmed && outcome.Detail != "" && !maps.Equal(wanted.goroutines(), (target{f, a.Names}).goroutines()) {
			outcome.Detail = join(outcome.Detail, otherNames)
		}
		return outcome, err
	}
	return c.confirmIn(ctx, r.Finding, run)
}

// otherNames is why the goroutines of a report and of the step that was not reached differ.
const otherNames = "goroutines have other numbers where the test runs alone"

// goroutines returns the names of those who take part.
func (t target) goroutines() map[string]bool {
	all := make(map[string]bool)
	for _, p := range t.Parties {
		all[t.names.Task(p.Task).Name] = true
	}
	return all
}

// sameFinding returns the finding of another run that is the same, nil if there is none.
func (t target) sameFinding(found []builtin.Finding, names op.Names) *builtin.Finding {
	wanted := placesOf(t.Finding, t.names)
	for i := range found {
		if f := &found[i]; f.Property == t.Property && maps.Equal(placesOf(f, names), wanted) {
			return f
		}
	}
	return nil
}
