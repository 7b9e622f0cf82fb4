// Package execution runs a traced program according to a plan, checks its trace and determines the
// exit code.
//
// It checks while the program runs, or after it has ended.
package execution

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/schedulefile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Plan says which properties are checked on one run of a traced binary, and how results are
// reported. It is passed as JSON to the process that "go test -exec" starts.
type Plan struct {
	Name string // of the trace in reports: the trace file, or the package

	// Properties that are checked.
	Specification specfile.Specification
	Builtins      []builtin.Property
	Reorders      bool // properties are checked over other orders of critical sections, too

	// How it is checked and reported.
	Check   check.Settings
	Known   known.Recogniser
	Reports reports.Contents

	// The program, and how it runs.
	Build tracedbuild.Info
	Steering
	Pace
	Record recording.Destination
	Live   live.Settings
	Halt   Halting
	Tests  Tests

	Reversals  int             // at most so many pairs are sought that can be reversed
	KnownPairs map[string]bool `json:"-"` // by their keys, without these
	Reversed   *Reversal       `json:"-"` // the program keeps this order, if it is not nil

	Operations op.Watcher         `json:"-"` // receives those of the run, too, if it is not nil
	Prefix     *schedule.Schedule `json:"-"` // with which the run begins; nil for none

	// Which predictions are tried in further runs, and where their schedules are kept.
	Confirm   confirmation.Extent
	Schedules schedulefile.Place
}

// Steering says under which schedule a program runs.
type Steering struct {
	Seed uint64 // of the schedule, 0 if it is not steered
	// that draws the schedule of a seed
	Strategy strategy.Strategy
	Yields   uint64 // decides where goroutines let others go first if it is not; 0: they do not
	Replay   string // the file of a schedule that the program keeps; "" for none

	WithoutEarly uint32 `json:"-"` // early firings of the schedule that are left out, one bit each
}

// Schedule returns the flag that repeats the schedule as far as possible; "" if none does.
func (s Steering) Schedule() string {
	switch {
	case s.Seed != 0:
		text := fmt.Sprint("--seed ", s.Seed)
		if s.Strategy.IsDrawn() {
			text += " --strategy " + s.Strategy.String()
		}
		return text
	case s.Yields != 0:
		return fmt.Sprint("--yields ", s.Yields)
	}
	return ""
}

// Pace says for how long a program runs.
type Pace struct {
	Limit    time.Duration // after which it is ended, if it is not 0
	Repeated bool          // it is one run of several: if it takes too long it is given up
	Further  bool          // it is not the first of these, and is not watched for hangs
	Full     bool          // it waits for antichain as long as it takes; else see mayWait
	Linger   time.Duration // for which it waits in the end for goroutines that go on
	Hang     time.Duration // it is ended once it has hung for that long, if that is not 0
}

// Tests say what else becomes of a test binary.
type Tests struct {
	EndReplay bool          // end a replay to waiting goroutines when nothing more happens
	Recur     bool          // failed tests are run again by themselves, with yields and without
	Within    time.Duration // limit for this run and all further ones; 0 is none
	Shown     bool          // what is being done is shown on a terminal that another process has
}

// Reporter returns a checker of the plan's properties, which reports on out. It leaves out known
// findings, and collects results if the plan says so.
func (p *Plan) Reporter(out io.Writer) *check.Checker {
	c := p.Checker(out)
	recogniser := p.Known
	recogniser.Warnings = out
	c.Known, c.Reports = &recogniser, &reports.Collection{Contents: p.Reports}
	return c
}

// Checker returns a checker of what the plan names, which reports on out.
func (p *Plan) Checker(out io.Writer) *check.Checker {
	budget.LimitGarbage(p.Check.Options.Memory)
	c := p.Check.Checker(p.Specification.Parsed, out, out)
	c.Style.Again = p.RunAgain()
	return c
}

// RunAgain returns the command that repeats the run.
func (p *Plan) RunAgain() string {
	again, flag := p.Check.Style.Again, p.Schedule()
	switch {
	case again == "":
		return ""
	case p.Replay != "":
		return rerun.Replay(again, p.Replay)
	case flag == "":
		return again
	}
	return rerun.With(again, strings.Fields(flag)...)
}

// Trace runs a traced binary, checks its trace and reports on out.
func (p *Plan) Trace(
	ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer,
) (*Conclusion, error) {
	return (&runner{Plan: p, binary: binary, args: args}).runAndCheck(ctx, s, p.Reporter(out))
}

// Collect is Trace, but take receives the results. tried returns the outcome of confirming a result
// in another run, and whether it is known: then it is not tried. It cannot be done live.
func (p *Plan) Collect(
	ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer,
	take func(*tlcheck.Assessment), tried func(*tlcheck.Result) (*tlcheck.Confirmation, bool),
) (*Conclusion, error) {
	c := p.Reporter(out)
	c.Take = take
	return (&runner{p, binary, args, tried}).runAndCheck(ctx, s, c)
}

// ask lists the properties that are to be judged on the run.
func (p *Plan) ask(c *check.Checker, watching *findings.Watch) {
	c.AskAll(p.Name)
	c.AskBuiltins(p.Name, watching.Properties())
}

// Unjudged reports on out on a run that was never judged, and why.
func (p *Plan) Unjudged(why string, out io.Writer) *Conclusion {
	c := p.Reporter(out)
	watching := findings.NewWatch(context.Background(), p.Builtins, c.Functions, p.Build.Unwatched)
	p.ask(c, watching)
	c.Refuse(p.Name, why)
	summary, results := watching.Refuse(c, why)
	concluded := p.reportConclusion(c, summary, results, &launch.Result{})
	concluded.Failed = true
	return concluded
}
