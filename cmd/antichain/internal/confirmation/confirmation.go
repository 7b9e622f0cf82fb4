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
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
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

// Bounds on candidates. Each only loses some of them.
const (
	MaxCandidates     = 8 // that are tried
	candidateAttempts = 3 // for each
)

// OfCandidates returns the effort for candidates. Most never happen.
func (e Extent) OfCandidates() Extent {
	e.Attempts = min(e.Attempts, candidateAttempts)
	return e
}

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
	Findings []builtin.Finding // and candidates, if Visits learns of the run
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
	Source  report.Source // of the program's files
	Keep    Keep
	Stderr  io.Writer // where it is shown what goes on
}

// goal is the aim of a run.
type goal interface {
	reached(ctx context.Context, a *Attempt) (bool, error)
	String() string // the property
}

// confirm tries a schedule, unless there is a reason why there is none.
func (c *Confirmer) confirm(ctx context.Context, s *schedule.Schedule, why error, wanted goal, took time.Duration) (*tlcheck.Confirmation, error) {
	t, err := c.newTrial(s, why, wanted, took)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	err = c.inTurn(bounded, []*trial{t})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return t.outcome, err
}

// newTrial returns what tries a schedule, unless there is a reason why there is none.
func (c *Confirmer) newTrial(
	s *schedule.Schedule, why error, wanted goal, took time.Duration,
) (*trial, error) {
	t := &trial{c: c, wanted: wanted, Schedule: s, took: took}
	if why == nil {
		var err error
		if t.program, err = c.Program(); err != nil {
			return nil, err
		}
		_, why = s.Compile(t.program, schedule.Keep{})
	}
	if why != nil {
		t.outcome = &tlcheck.Confirmation{Outcome: tlcheck.NotTried, Detail: why.Error()}
	}
	return t, nil
}

// scheduleOf returns the schedule of a finding, or why there is none.
func (c *Confirmer) scheduleOf(f *builtin.Finding, run *Run) (*schedule.Schedule, error) {
	operations := operationsOf(f)
	if len(operations) == 0 {
		return nil, errors.New("it has no order of operations")
	}
	s, err := run.Visits.Schedule(operations, run.Names, c.Source.File)
	if err != nil {
		return nil, err
	}
	s.Comment = []string{fmt.Sprintf("%s: %s", f.Property, c.words(f, run))}
	return s, nil
}

// words says what a finding is about, with the names of the source and its places as they are in
// schedules.
func (c *Confirmer) words(f *builtin.Finding, run *Run) string {
	source := c.Source
	source.From = ""
	return report.Message((&tlcheck.Result{Builtin: f.Property, Finding: f, Names: run.Names}).Assessment(), source)
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
			all = append(all, schedule.Operation{
				Task: s.Task, K: s.K, Kind: s.Kind, Object: s.Object, At: s.At,
			})
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

// patience is the time that an attempt first waits for a step.
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

// inTurn makes attempts of each of some trials in turn until one reaches its goal. The first has an
// outcome then, and so have the others that came to an attempt.
func (c *Confirmer) inTurn(ctx context.Context, all []*trial) error {
	if slices.ContainsFunc(all, func(t *trial) bool { return t.outcome.IsConfirmed() }) {
		return nil
	}
	showing := terminal.Working(c.Stderr, "confirming")
	defer showing.Done()
	for n := 1; n <= c.Attempts; n++ {
		for _, t := range all {
			if t.outcome != nil {
				continue
			}
			showing.Doing(fmt.Sprintf("confirming %s: attempt %d of %d", t.wanted, n, c.Attempts))
			if err := t.attempt(ctx, n); err != nil && ctx.Err() == nil {
				return err
			}
			if ctx.Err() != nil || t.outcome.IsConfirmed() {
				n = c.Attempts
				break
			}
		}
	}
	for _, t := range all {
		if t.outcome == nil && (t.sum.attempts > 0 || t == all[0]) {
			t.outcome = t.sum.outcome(c.Extent)
		}
	}
	return nil
}

// attempt makes the nth attempt.
func (t *trial) attempt(ctx context.Context, n int) error {
	keep, free := attemptMode(n, t.took, t.Meets())
	how, err := howTo(keep, free, t.program, t.Schedule, t.took)
	if err != nil {
		return err
	}
	a, err := t.c.Runner.Run(ctx, how)
	if err != nil || ctx.Err() != nil {
		return err
	}
	t.sum.attempts = n
	reached, err := t.wanted.reached(ctx, a)
	switch {
	case err != nil:
		return err
	case reached:
		t.confirmed(ctx, n, keep, free)
		t.outcome.Detail = join(t.outcome.Detail, timeText(a.Kept.Ahead))
	case how.Schedule != nil:
		t.sum.add(a, t.Schedule)
	}
	return nil
}

// timeText says by how much the clock of the program was moved on, "" for less than a second.
func timeText(ahead time.Duration) string {
	if ahead < time.Second {
		return ""
	}
	return fmt.Sprintf("it needs %s to pass", ahead.Round(10*time.Millisecond))
}

// confirmed notes that the nth attempt, made so, has reached the goal, and keeps the schedule.
func (t *trial) confirmed(ctx context.Context, n int, keep schedule.Keep, free bool) {
	t.outcome = &tlcheck.Confirmation{Outcome: tlcheck.Confirmed, Attempts: n}
	s := t.Schedule
	if !free {
		if keep, t.outcome.Detail = t.c.mostReliable(ctx, t, keep); t.outcome.Detail == "" {
			s = t.c.dropLastSteps(ctx, t, keep)
		}
	}
	t.c.writeSchedule(t.outcome, t.wanted, s, keep, free)
}

// attemptTimeout returns the time limit of a program that took so long before.
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
