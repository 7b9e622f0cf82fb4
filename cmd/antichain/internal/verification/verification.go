// Package verification finds out whether a change of a program has taken away what a schedule
// shows.
//
//	outcome, err := verification.Run(ctx, plan, binary, args, stderr)
//
// The program runs as it is, under the schedule, in orders close to it, with reversed pairs of
// operations near its steps, and under steered schedules. The first run that shows a violation is
// the last.
package verification

import (
	"context"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Verdict says whether the change is a fix.
type Verdict string

// The verdicts.
const (
	Verified Verdict = "verified" // no run shows a violation
	Violated Verdict = "violated" // one does
	Unknown  Verdict = "unknown"  // no run came near, or something has ended the runs
)

// Outcome is what became of a verification.
type Outcome struct {
	File    string // with the schedule
	Shows   string // what the schedule shows, as the file says; "" if it does not
	Verdict Verdict
	Why     string // of Unknown

	Steps   int      // of the schedule as it was
	Fit     int      // of these, that have a place in the program
	Kept    int      // the most that a run under the schedule has kept
	Changes []string // what has moved in the program, or is no more

	Runs  []Series
	Found *Found // of Violated
	// runs in which goroutines were held and the program failed, without a violation: that may rest
	// on time
	Failed int
}

// Series are runs of one kind.
type Series struct {
	Kind Kind
	Runs int
}

// Kind says what decides the order of a run.
type Kind string

// The kinds, in the order in which the runs are made.
const (
	AsIs       Kind = "as it is"
	Scheduled  Kind = "under the schedule"
	Neighbours Kind = "in orders close to it"
	Pairs      Kind = "with a reversed pair near it"
	Seeds      Kind = "under steered schedules"
)

// Found is the violation that a run shows.
type Found struct {
	Property, Text string
	How            string // it is known; "" if the program failed by itself
	Run            string // the order of the run
	Again          string // the command that repeats it
}

// isPredicted reports whether the violation is only predicted.
func (f *Found) isPredicted() bool { return f.How != "" && f.How != builtin.Observed.String() }

// Code returns the exit code.
func (o *Outcome) Code() int {
	switch o.Verdict {
	case Verified:
		return exit.Holds
	case Violated:
		return exit.Violated
	}
	return exit.Unknown
}

// count adds a run to those of its kind.
func (o *Outcome) count(kind Kind) {
	i := slices.IndexFunc(o.Runs, func(s Series) bool { return s.Kind == kind })
	if i < 0 {
		i, o.Runs = len(o.Runs), append(o.Runs, Series{Kind: kind})
	}
	o.Runs[i].Runs++
}

// all returns how many runs there were.
func (o *Outcome) all() (n int) {
	for _, s := range o.Runs {
		n += s.Runs
	}
	return n
}

// fit adapts the schedule to the program. Steps that have no place there are left out.
func (v *verifier) fit(s *schedule.Schedule) error {
	program, err := v.plan.Program(v.binary)
	if err != nil {
		return err
	}
	v.program = program
	v.outcome.Steps = len(s.Steps)
	v.wanted = functionsOf(s)
	v.places = make(map[string]bool)
	v.original = *s
	v.original.Steps = slices.Clone(s.Steps)
	v.outcome.Changes = append(s.Find(v.source), s.Fit(program)...)
	v.outcome.Fit = len(s.Steps)
	for _, step := range s.Steps {
		v.places[step.At] = true
	}
	v.schedule = s
	return nil
}

// judge makes the runs, until one shows a violation or the context ends. A violation that the run
// as it is only predicts may happen under the schedule.
func (v *verifier) judge(ctx context.Context) error {
	var predicted *Found
	for _, part := range []func(context.Context) error{v.asIs, v.scheduled, v.neighbours, v.pairs, v.seeds} {
		if err := part(ctx); err != nil {
			return err
		}
		switch found := v.outcome.Found; {
		case predicted != nil && found == nil:
			v.outcome.Found = predicted
		case v.longest > 0 && predicted == nil && found != nil && found.isPredicted():
			predicted, v.outcome.Found = found, nil
			continue
		}
		if v.isOver(ctx) {
			break
		}
	}
	switch o := v.outcome; {
	case o.Found != nil:
		o.Verdict = Violated
	case ctx.Err() != nil && !v.isTimeOver(ctx):
		o.Why = fmt.Sprintf("it was interrupted after %d runs", o.all())
	case v.unjudged:
		o.Why = "there is no verdict on the run as it is"
	case !v.near:
		o.Why = "no run came near the places of the schedule"
	default:
		o.Verdict = Verified
	}
	return nil
}
