// Package confirmation runs a program again to make happen what another run of it has predicted.
//
// Each attempt keeps to the schedule of the finding in another way, with more freedom from one to
// the next. An attempt that comes there leaves a schedule file, with which antichain replay makes
// it happen again.
package confirmation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Extent says which findings are tried, and how much.
type Extent struct {
	Attempts int           // for each finding; 0: none is tried
	Time     time.Duration // for all attempts for one finding
	Again    int           // how often a confirmed violation must recur under its schedule
	Doubtful bool          // only those that may be impossible: see builtin.Finding.IsDoubtful
}

// Wanted is the effort with --confirm, Usual the effort in tests without it.
var (
	Wanted = Extent{Attempts: 10, Time: 30 * time.Second, Again: 5}
	Usual  = Extent{Attempts: 5, Time: 10 * time.Second, Doubtful: true}
)

// Runner runs the program.
type Runner interface {
	Run(ctx context.Context, how How) (*Attempt, error) // once more
}

// How says under which schedule the program is to run. The zero value is none, and no limit.
type How struct {
	Schedule *ring.Schedule
	Seed     uint64           // of a steered schedule, if it is not 0
	Visits   *schedule.Visits // learns where its goroutines are, if it is not nil
	Limit    time.Duration    // after which the program is ended
	Grace    time.Duration    // after which it is ended once the schedule is kept or given up
}

// Attempt is the outcome of a run.
type Attempt struct {
	Findings []builtin.Finding
	Names    op.Names
	Kept     ring.Progress
	Order    *san.Net // its events, each after the one before; nil without a specification
	Failed   bool     // the program itself: a panic, or an exit code
}

// Run is the run with the findings that are to be confirmed.
type Run struct {
	Visits *schedule.Visits
	Names  op.Names
	Took   time.Duration
}

// Keep writes a schedule that leads to a violation of a property to a file; again is the command
// that replays it.
type Keep func(s *schedule.Schedule, property string) (file, again string, err error)

// Confirmer confirms findings.
type Confirmer struct {
	Extent
	Runner Runner
	// of the program, that a finding is of; may be nil, and return nil
	Part func(*tlcheck.Result) *Part
	// Program is called when there is something to confirm.
	Program func() (*schedule.Program, error)
	Source  func(at string) (src []byte, line int, ok bool) // of the program's files; may be nil
	Keep    Keep
	Stderr  io.Writer // where it is shown what goes on
}

// Confirm tries the finding of a result, if it is predicted, and returns the outcome. The error is
// that of a run, or of the context.
func (c *Confirmer) Confirm(ctx context.Context, r *tlcheck.Result, run *Run) (*tlcheck.Confirmation, error) {
	f := r.Finding
	if f == nil || f.How == builtin.Observed || c.Doubtful && !f.IsDoubtful() {
		return nil, nil
	}
	if c.Part != nil {
		if part := c.Part(r); part != nil {
			return c.confirmPart(ctx, r, run, part)
		}
	}
	return c.confirmIn(ctx, f, run)
}

// confirmIn tries what a run has found.
func (c *Confirmer) confirmIn(ctx context.Context, f *builtin.Finding, run *Run) (*tlcheck.Confirmation, error) {
	s, why := c.scheduleOf(f, run)
	return c.confirm(ctx, s, why, target{f, run.Names}, run.Took)
}

// goal is what is to happen in a run.
type goal interface {
	reached(ctx context.Context, a *Attempt) (bool, error)
	String() string // the property
}

// confirm tries a schedule, unless there is a reason why there is none.
func (c *Confirmer) confirm(ctx context.Context, s *schedule.Schedule, why error, wanted goal, took time.Duration) (*tlcheck.Confirmation, error) {
	var program *schedule.Program
	if why == nil {
		var err error
		if program, err = c.Program(); err != nil {
			return nil, err
		}
		_, why = s.Compile(program, schedule.Keep{})
	}
	if why != nil {
		return &tlcheck.Confirmation{Outcome: tlcheck.NotTried, Detail: why.Error()}, nil
	}
	bounded, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	outcome, err := c.try(bounded, program, wanted, s, took)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return outcome, err
}

// scheduleOf returns the schedule of a finding, or why there is none.
func (c *Confirmer) scheduleOf(f *builtin.Finding, run *Run) (*schedule.Schedule, error) {
	operations := operationsOf(f)
	if len(operations) == 0 {
		return nil, errors.New("it has no order of operations")
	}
	s, err := run.Visits.Schedule(operations, run.Names, c.Source)
	if err != nil {
		return nil, err
	}
	s.Comment = []string{fmt.Sprintf("%s: %s", f.Property, f.Text)}
	return s, nil
}

// operationsOf returns what goroutines have to do for a finding, in order. Who starts whom is not a
// step, and where a schedule leaves out what both sides are about to do, that is added. The
// accesses of a race meet by their places alone, so the sections that come before them are no
// steps, unless their order has to be another one than that of the run.
func operationsOf(f *builtin.Finding) []schedule.Operation {
	var all []schedule.Operation
	has := func(p *builtin.Party) bool {
		return slices.ContainsFunc(all, func(o schedule.Operation) bool { return o.Task == p.Task && o.At == p.At })
	}
	for _, s := range f.Schedule {
		if f.Property == builtin.Race && !f.Reverses && !isAccess(s.Kind) {
			continue
		}
		if s.Kind != op.Go && s.Kind != op.End && s.Task != op.NoTask {
			all = append(all, schedule.Operation{Task: s.Task, K: s.K, Kind: s.Kind, At: s.At})
		}
	}
	if f.Property == builtin.WaitGroup || f.Property == builtin.Unlock || f.Property == builtin.Closed {
		for i := range f.Parties {
			if p := &f.Parties[i]; p.Task != op.NoTask && p.At != 0 && !has(p) {
				all = append(all, schedule.Operation{Task: p.Task, Kind: p.Kind, At: p.At})
			}
		}
	}
	return all
}

// isAccess reports whether an operation is an access to memory.
func isAccess(kind op.Kind) bool {
	return kind == op.Read || kind == op.Write || kind == op.AtomicLoad || kind == op.AtomicStore
}

// patience is how long an attempt at first waits for a step.
const patience = time.Second

// attemptMode returns how the nth attempt is made, from 1: by number, by role, with a seed, and
// once (free) without a schedule. What is patient enough depends on the timers of the program, and
// so on how long it took. Two accesses meet by their places, with more patience or less.
func attemptMode(n int, took time.Duration, meet bool) (keep schedule.Keep, free bool) {
	long := max(3*time.Second, 2*took)
	if meet {
		return schedule.Keep{Patience: []time.Duration{patience, 50 * time.Millisecond, long}[(n-1)%3]}, false
	}
	switch n {
	case 1, 2:
		return schedule.Keep{Patience: patience}, false
	case 3:
		return schedule.Keep{Roles: true, Patience: patience, Quiet: 100 * time.Millisecond}, false
	case 4:
		return schedule.Keep{Patience: 2 * patience}, false
	case 5:
		return schedule.Keep{Roles: true, Patience: 2 * patience, Quiet: 500 * time.Millisecond}, false
	case 6:
		return schedule.Keep{}, true
	case 7:
		return schedule.Keep{Roles: true, Patience: long, Quiet: 2 * time.Second}, false
	case 8:
		return schedule.Keep{Seed: uint64(n)}, false
	}
	if n%2 == 0 {
		return schedule.Keep{Roles: true, Patience: long, Quiet: 100 * time.Millisecond}, false
	}
	return schedule.Keep{Patience: long}, false
}

// try makes attempts until the goal is reached, and returns the outcome.
func (c *Confirmer) try(ctx context.Context, program *schedule.Program, wanted goal, s *schedule.Schedule, took time.Duration) (*tlcheck.Confirmation, error) {
	outcome := &tlcheck.Confirmation{Outcome: tlcheck.NotConfirmed}
	furthest := -1
	showing := terminal.Working(c.Stderr, fmt.Sprintf("confirming %s", wanted))
	defer showing.Done()
	for n := 1; n <= c.Attempts && ctx.Err() == nil; n++ {
		showing.Doing(fmt.Sprintf("confirming %s: attempt %d of %d", wanted, n, c.Attempts))
		keep, free := attemptMode(n, took, s.Meets())
		how, err := howTo(keep, free, program, s, took)
		if err != nil {
			return nil, err
		}
		a, err := c.Runner.Run(ctx, how)
		switch {
		case ctx.Err() != nil:
			continue
		case err != nil:
			return nil, err
		}
		outcome.Attempts = n
		reached, err := wanted.reached(ctx, a)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if reached {
			outcome.Outcome, outcome.Detail = tlcheck.Confirmed, ""
			if !free {
				again := &trial{program, wanted, s, took}
				if keep, outcome.Detail = c.mostReliable(ctx, again, keep); outcome.Detail == "" {
					s = c.dropLastSteps(ctx, again, keep)
				}
			}
			c.writeSchedule(outcome, wanted, s, keep, free)
			return outcome, nil
		}
		if how.Schedule == nil {
			continue
		}
		switch {
		case a.Kept.Done == len(s.Steps) && !a.Failed:
			outcome.Outcome, outcome.Detail = tlcheck.Followed, ""
		case outcome.Outcome == tlcheck.NotConfirmed && a.Kept.Done > furthest && a.Kept.Done < len(s.Steps):
			furthest = a.Kept.Done
			outcome.Detail = missedText(s, furthest)
		}
	}
	if outcome.Attempts < c.Attempts {
		over := fmt.Sprintf("after %s the time was over", wording.Plural(outcome.Attempts, "attempt"))
		outcome.Detail = join(outcome.Detail, over)
	}
	return outcome, nil
}

// missedText says what an attempt has missed that has done only some of the steps.
func missedText(s *schedule.Schedule, done int) string {
	switch {
	case !s.Meets() || done < len(s.Steps)-2:
		return fmt.Sprintf("step %d of %d was not reached: %s", done+1, len(s.Steps), s.Steps[done].Words())
	case done == len(s.Steps)-2:
		return "no goroutine came to one of the two accesses"
	}
	return "no two goroutines were about to make the two accesses at once"
}

// attemptTimeout is how long a program may run that took so long before.
func attemptTimeout(took time.Duration) time.Duration { return 5*time.Second + 4*took }

// withoutSchedule is the detail of what happened in a run that kept none.
const withoutSchedule = "without a schedule"

// howTo says how the program is to run.
func howTo(keep schedule.Keep, free bool, program *schedule.Program, s *schedule.Schedule, took time.Duration) (How, error) {
	how := How{Seed: keep.Seed, Limit: attemptTimeout(took) + 2*keep.Patience, Grace: time.Second + 2*took}
	if free || keep.Seed != 0 {
		return how, nil
	}
	var err error
	how.Schedule, err = s.Compile(program, keep)
	if missing := new(schedule.MissingError); keep.Roles && errors.As(err, &missing) {
		// the go statement of a test is one of package testing
		keep.Roles = false
		how.Schedule, err = s.Compile(program, keep)
	}
	return how, err
}

// writeSchedule writes the schedule that an attempt has kept to a file.
func (c *Confirmer) writeSchedule(
	outcome *tlcheck.Confirmation, wanted goal, s *schedule.Schedule, keep schedule.Keep, free bool,
) {
	if free {
		outcome.Detail = withoutSchedule
		return
	}
	kept := *s
	kept.Keep = keep
	file, again, err := c.Keep(&kept, wanted.String())
	if err != nil {
		outcome.Detail = "its schedule could not be kept: " + err.Error()
	}
	outcome.Schedule, outcome.Again = file, again
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
