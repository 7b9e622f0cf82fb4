// Package execution runs a traced program according to a plan, checks its trace and determines the exit code.
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
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Plan says what is to be checked on one traced binary and how to report on it. A plan is
// written down as JSON for the process that "go test -exec" starts.
type Plan struct {
	Name                string // of the trace in reports: the trace file, or the package
	Specification       specfile.Specification
	Logic               lsl.Logic
	Time                time.Duration
	Memory              int64
	JSON                bool
	Last                bool // of the violations the last one is shown
	All, Count          bool
	Strict              bool // no property may be vacuous
	Reorders            bool // properties are checked over other orders of critical sections, too
	Live                live.Flag
	KeepGoing, Defer    bool
	Builtins            []builtin.Property
	Seed                uint64              // of the schedule, 0 if it is not steered
	Yields              uint64              // decides where goroutines let others go first if it is not, unless it is 0
	Confirm             confirmation.Extent // which predictions are tried
	Replay              string              // the file of a schedule that the program keeps; "" for none
	EndsReplay          bool                // tests that lead to goroutines that wait are ended when there is nothing more to see
	Recurs              bool                // tests that fail are run again by themselves, with goroutines that let others go first and without
	Halt                bool                // the program is halted where that schedule leads
	HaltAt              []string            // the program is halted when there is a goroutine at each of these lines at once
	Lines               []rewrite.Line      // the same
	HoldFor             time.Duration       // how long goroutines are held there
	AtTerminal          bool                // somebody is at the terminal, to be asked about the halted program, though the streams do not show it
	Notes               io.Writer           `json:"-"` // where it is said how to come to a program that stays halted; nil: standard error
	ScheduleDir         string              // where schedules of what was confirmed are kept; "": in the cache
	Cache               string              // the directory of the cache; "": the user's
	Runs                int                 // under schedules that are not steered; 0 is 1
	Explore             int                 // so many more runs under steered schedules
	StopAt              StopAt              // what ends these runs before
	For                 time.Duration       // after which no further run begins, if it is not 0
	Within              time.Duration       // in which all these runs must have ended, if it is not 0: the process ends then
	Limit               time.Duration       // for which the program may run, if it is not 0
	Full                bool                // the program waits for antichain as long as it takes; else see mayWait
	Linger              time.Duration       // for which the program waits in the end for goroutines that go on
	Output              string              // trace file; "" for none
	Untraced, Unwatched []string            // what is lost of it with this version of Go; see instrument.Build
	Hidden              string              // why not all accesses to memory are recorded; see instrument.Build
	Root                string              // directory that positions are relative to
	Source              report.Source       // of the program
	Colour              bool
	Width               int
	Again               string // the command that does the same again under any schedule
	NamesTests          bool   // which is for go test, and may name the tests that findings are of

	Known    map[string]string // why findings are no news, by fingerprint
	Excluded []string          // directories of packages whose findings are no news
	Collects bool              // all results are collected, for reports
	Pages    bool              // a report is a page for people
	Draws    bool              // reports show the order of the run: it is recorded in full

	Sink delivery.SinkConfig // where the trace is sent
}

// Reporter is Checker, but that what is no news is told apart, and that results are collected if the plan says so.
func (p *Plan) Reporter(out io.Writer) *check.Checker {
	c := p.Checker(out)
	c.Known = &known.Recogniser{Reasons: p.Known, Excluded: p.Excluded, Source: p.Source, Warnings: out}
	c.Reports = &reports.Collection{All: p.Collects, Draws: p.Draws, Pages: p.Pages}
	return c
}

// Checker returns a checker of what the plan names, which reports on out.
func (p *Plan) Checker(out io.Writer) *check.Checker {
	budget.LimitGarbage(p.Memory)
	return &check.Checker{
		Stdout: out, Stderr: out, JSON: p.JSON, Options: tlcheck.Options{Logic: p.Logic, Time: p.Time, Memory: p.Memory, Last: p.Last},
		Properties: p.Specification.Properties(), Functions: specfile.FunctionsOf(p.Specification.Parsed),
		NamesTests:     p.NamesTests,
		ViolationFlags: check.ViolationFlags{All: p.All, Count: p.Count}, Strict: p.Strict,
		Style: report.Style{Width: p.Width, Colour: p.Colour, Source: p.Source, Again: p.RunAgain()},
	}
}

// RunAgain returns the command that repeats the run.
func (p *Plan) RunAgain() string {
	flag := p.Schedule()
	switch {
	case p.Again == "":
		return ""
	case p.Replay != "":
		return rerun.Replay(p.Again, p.Replay)
	case flag == "":
		return p.Again
	}
	return rerun.With(p.Again, strings.Fields(flag)...)
}

// Schedule returns the flag that repeats the schedule of the run, as far as it can be repeated; "" if nothing is known of it.
func (p *Plan) Schedule() string {
	switch {
	case p.Seed != 0:
		return fmt.Sprint("--seed ", p.Seed)
	case p.Yields != 0:
		return fmt.Sprint("--yields ", p.Yields)
	}
	return ""
}

// Collector takes the results of a run.
type Collector interface {
	Take(*tlcheck.Result)

	// Tried returns what another run has shown of making a result happen, and whether that is known. Then it is not tried.
	Tried(*tlcheck.Result) (*tlcheck.Confirmation, bool)
}

// triedFunc is Collector.Tried.
type triedFunc func(*tlcheck.Result) (*tlcheck.Confirmation, bool)

// Trace runs a traced binary, checks what it recorded and reports on out.
func (p *Plan) Trace(ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer) (*Conclusion, error) {
	r := &runner{p, binary, args}
	return r.trace(ctx, s, p.Reporter(out), func(*tlcheck.Result) (*tlcheck.Confirmation, bool) { return nil, false })
}

// Collect is Trace, but that results go to a collector. It cannot be done live.
func (p *Plan) Collect(ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer, to Collector) (*Conclusion, error) {
	c := p.Reporter(out)
	c.Take = to.Take
	return (&runner{p, binary, args}).trace(ctx, s, c, to.Tried)
}

// ask lists what is to be judged on the run.
func (p *Plan) ask(c *check.Checker, watching *findings.Watch) {
	c.AskAll(p.Name)
	c.AskBuiltins(p.Name, watching.Properties())
}

// Unjudged reports on out on a run that was never judged, and why.
func (p *Plan) Unjudged(why string, out io.Writer) *Conclusion {
	c := p.Reporter(out)
	watching := findings.NewWatch(context.Background(), p.Builtins, c.Functions, p.Unwatched)
	p.ask(c, watching)
	c.Refuse(p.Name, why)
	summary, results := watching.Refuse(why)
	concluded := p.concluded(c, summary, results, &launch.Result{})
	concluded.Failed = true
	return concluded
}

// isRecorded reports whether the trace is kept or sent.
func (p *Plan) isRecorded() bool { return p.Output != "" || p.Sink.To != "" }

// isOneOfSeveral reports whether there are other runs. Each of them may take as long as it needs, and is given up if that is too long.
func (p *Plan) isOneOfSeveral() bool { return p.Runs > 1 || p.Explore > 0 }
