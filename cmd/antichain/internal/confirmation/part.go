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

// place is where findings of a run are tried: in the whole program, or in a part of it.
type place struct {
	whole *Confirmer
	run   *Run

	// The part of the program that the findings are of, nil if that is not known. Goroutines have
	// other names there, and come to a line another number of times, so findings are looked for in
	// a run of it.
	part  *Confirmer
	alone *Run              // that run; nil if there was no time for it
	found []builtin.Finding // there
}

// placeOf returns where the findings of a result are tried.
func (c *Confirmer) placeOf(ctx context.Context, r *tlcheck.Result, run *Run) (*place, error) {
	in := &place{whole: c, run: run}
	if c.Part == nil {
		return in, nil
	}
	part := c.Part(r)
	if part == nil {
		return in, nil
	}
	alone := *c
	alone.Runner, alone.Keep, alone.Part = part.Runner, part.Keep, nil
	in.part = &alone
	if r.Finding.Property == builtin.Race { // whose goroutines are whoever comes there
		return in, nil
	}
	visits, start := new(schedule.Visits), time.Now()
	a, err := part.Runner.Run(ctx, How{Visits: visits, Limit: attemptTimeout(run.Took)})
	switch {
	case ctx.Err() != nil:
		return in, nil
	case err != nil:
		return nil, err
	}
	in.alone, in.found = &Run{Visits: visits, Names: a.Names, Took: time.Since(start)}, a.Findings
	return in, nil
}

// newTrial returns what tries a finding in the part of the program that it is of. If it is not
// found there, the whole program runs.
func (in *place) newTrial(f *builtin.Finding) (*trial, error) {
	switch {
	case in.part != nil && f.Property == builtin.Race:
		return in.part.trialOf(f, in.run)
	case in.alone == nil:
		return in.whole.trialOf(f, in.run)
	}
	wanted := target{f, in.run.Names}
	if wanted.isAmong(in.found, in.alone.Names) {
		return &trial{wanted: wanted, outcome: &tlcheck.Confirmation{
			Outcome: tlcheck.Confirmed, Attempts: 1, Detail: withoutSchedule,
		}}, nil
	}
	there := wanted.sameFinding(in.found, in.alone.Names)
	if there == nil {
		return in.whole.trialOf(f, in.run)
	}
	t, err := in.part.trialOf(there, in.alone)
	if t != nil && !maps.Equal(wanted.goroutines(), (target{there, in.alone.Names}).goroutines()) {
		t.sum.remark = otherNames
	}
	return t, err
}

// otherNames is why the goroutines of a report and of the step that was not reached differ.
const otherNames = "goroutines have other numbers where the test runs alone"

// goroutines returns the names of the goroutines that take part.
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
		f := &found[i]
		if f.Property == t.Property && maps.Equal(placesOf(f, names), wanted) {
			return f
		}
		if also := t.sameFinding(f.Also, names); also != nil {
			return also
		}
	}
	return nil
}
