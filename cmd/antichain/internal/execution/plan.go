// Package execution runs a traced program according to a plan, checks its trace and determines the exit code.
//
// It checks while the program runs, or after it has ended.
package execution

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
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
	return p.trace(ctx, binary, args, s, p.Reporter(out), func(*tlcheck.Result) (*tlcheck.Confirmation, bool) { return nil, false })
}

// Collect is Trace, but that results go to a collector. It cannot be done live.
func (p *Plan) Collect(ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer, to Collector) (*Conclusion, error) {
	c := p.Reporter(out)
	c.Take = to.Take
	return p.trace(ctx, binary, args, s, c, to.Tried)
}

// trace runs a traced binary and has it checked. Results are confirmed unless they were tried.
func (p *Plan) trace(ctx context.Context, binary string, args []string, s terminal.Streams, c *check.Checker, tried triedFunc) (*Conclusion, error) {
	out := c.Stdout
	c.Reports.Ran(binary)
	cfg, err := p.config(binary, args, s, c)
	if err != nil {
		return nil, err
	}
	sink, err := delivery.OpenKafkaSink(ctx, p.Sink, filepath.Base(binary), s.Err, out)
	if err != nil {
		return nil, err
	}
	if sink != nil {
		cfg.RunID, cfg.Ring.Busy = sink.RunID(), math.MaxInt64 // brokers may be away for as long as they like
		defer sink.Stop()
	}
	memory, stop := budget.WithMemory(ctx, p.Memory)
	defer stop()
	reading, timeOver := context.WithCancelCause(memory)
	defer timeOver(nil)
	checked := len(c.Properties) > 0
	if p.halts() || p.Live.On && (checked || len(p.Builtins) > 0) {
		if p.Notes == nil {
			p.Notes = s.Err
		}
		return p.live(ctx, memory, cfg, c, sink)
	}
	r := &recording.Recorder{Path: p.Output, Sink: sink, Check: checked || p.Draws, Memory: reading, Orders: checked && p.Reorders, Leads: p.Confirm.Attempts > 0 && !p.Confirm.Doubtful}
	if !checked {
		r.Most = reports.MostDrawn
	}
	cfg.Header = r.Begin
	switch {
	case checked || p.Draws || p.isRecorded() || p.Reorders:
		cfg.Event, cfg.EnoughEvents = r.Add, r.Enough
	case !p.Full:
		cfg.MayWait = mayWait
	}
	watched, unwatch := budget.WithLive(reading, p.Memory)
	defer unwatch()
	watching := findings.NewWatch(watched, p.Builtins, c.Functions, p.Unwatched)
	watching.Watch(&cfg, p.isRecorded() || r.Orders, c.Style.Source)
	watching.Recognise(c.Known)
	p.ask(c, watching)
	if watching == nil && p.Reorders && (checked || p.isRecorded()) { // the operations tell where critical sections are
		cfg.Watch, cfg.Enough, cfg.Record, cfg.Linger = op.Discard, r.Enough, true, 0
	}
	replayed, err := p.replayed(&cfg, c.Style.Source)
	if err != nil {
		return nil, err
	}
	visits := &schedule.Visits{To: cfg.Watch}
	if p.Confirm.Attempts > 0 && watching != nil {
		cfg.Watch = visits
	}
	if p.EndsReplay {
		replayed.bound(&cfg)
	}
	failed, err := p.failuresOf(&cfg, binary, args)
	if err != nil {
		return nil, err
	}
	running, end := p.limited(ctx)
	defer end()
	// An interrupt during the run is the program's. It ends all further runs, too.
	further, stopFurther := interrupt.Context(ctx)
	defer stopFurther()
	start := time.Now()
	run, err := launch.Start(running, cfg)
	failed.started()
	if err != nil {
		return nil, err
	}
	sink.InterruptibleAfter(run)
	replayed.follow(run, end)
	go p.boundReading(reading, run, timeOver)
	ended := r.Await(run, c)
	overdue := ended.Signal != 0 && running.Err() != nil && ctx.Err() == nil
	r.Ended = overdue && !p.isOneOfSeveral()
	failed.passOn(ended)
	confirmer := p.confirmer(binary, args, s.Err)
	first := &confirmation.Run{Visits: visits, Names: run.Names(), Took: time.Since(start)}
	if p.Draws && !checked {
		r.Draw(c, p.Name, ended)
	}
	if checked {
		stop()
		if p.Confirm.Attempts > 0 {
			c.Confirm = func(judging context.Context, r *tlcheck.Result) error {
				known, isKnown := tried(r)
				if r.Confirmation = known; isKnown {
					return nil
				}
				err := context.Cause(further)
				if err == nil {
					err = confirmer.ConfirmState(judging, r, c.Options, first)
				}
				return interruptedBy(further, r, err)
			}
		}
		r.Judge(ctx, c, p.Name, ended)
	}
	replayed.write(out, ended)
	summary, results := watching.Judge(ctx, c, run.Names(), r.Header, ended)
	if err := p.confirm(further, confirmer, results, tried, first); err != nil {
		c.ReportError(err)
	}
	if p.Confirm.Attempts > 0 && !p.Strict {
		summary.Settle(results)
	}
	concluded := p.concluded(c, summary, results, ended)
	failed.report(further, c, ended, s.Err)
	concluded.Overdue = overdue
	return concluded, nil
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

// mayWait is how many times as long as a program runs by itself it may wait for antichain if only built-in properties are checked: it takes three times as
// long then.
const mayWait = 2

// boundReading ends the reading of what a program has left if that takes too long, or at an interrupt: until it has ended, that is for
// the program.
func (p *Plan) boundReading(reading context.Context, run *launch.Run, end context.CancelCauseFunc) {
	select {
	case <-run.Exited():
	case <-reading.Done():
		return
	}
	bounded, stop := interrupt.Context(reading)
	defer stop()
	if p.Time > 0 {
		var done context.CancelFunc
		bounded, done = context.WithTimeoutCause(bounded, p.Time, budget.ErrTime)
		defer done()
	}
	<-bounded.Done()
	end(context.Cause(bounded))
}

// config says how to run a traced binary. The trace is full if it is kept or drawn and nothing is
// checked, and sparse if that is enough for what c checks.
func (p *Plan) config(binary string, args []string, s terminal.Streams, c *check.Checker) (launch.Config, error) {
	table, err := instrument.TableOf(binary)
	if err != nil {
		return launch.Config{}, err
	}
	// A binary without a specification does not know.
	table.Instrumented.Untraced, table.Instrumented.Unwatched = p.Untraced, p.Unwatched
	return launch.Config{
		Binary: binary, Args: args, Env: p.Sink.ProgramEnv(),
		Stdin: terminal.FileOf(s.In), Stdout: terminal.FileOf(s.Out), Stderr: terminal.FileOf(s.Err),
		Table: table, Full: len(c.Properties) == 0 && (p.isRecorded() || p.Draws), Sparse: !p.Draws && !p.Reorders && c.SparseSuffices(process.HeaderOf(table)), Root: p.Root, Seed: p.Seed, Yields: p.Yields,
		Linger: p.Linger, Hidden: p.Hidden,
	}, nil
}

// isRecorded reports whether the trace is kept or sent.
func (p *Plan) isRecorded() bool { return p.Output != "" || p.Sink.To != "" }

// isOneOfSeveral reports whether there are other runs. Each of them may take as long as it needs, and is given up if that is too long.
func (p *Plan) isOneOfSeveral() bool { return p.Runs > 1 || p.Explore > 0 }

// limited returns the context in which the program runs.
func (p *Plan) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, p.Limit)
}

// live runs a traced binary and checks it meanwhile.
func (p *Plan) live(ctx, memory context.Context, cfg launch.Config, c *check.Checker, sink *delivery.KafkaSink) (*Conclusion, error) {
	m := &monitor.Monitor{Checker: *c, KeepGoing: p.KeepGoing || p.halts(), Postpone: p.Defer || p.halts()}
	r := &recording.Recorder{Path: p.Output, Sink: sink}
	l := live.NewSession(p.Name, m, r)
	talk := func() error { return l.TalkAt(cfg.Stdin, cfg.Stderr) }
	if p.AtTerminal {
		talk = l.TalkApart
	}
	if err := talk(); err != nil {
		return nil, err
	}
	watching := findings.NewWatch(memory, p.Builtins, c.Functions, p.Unwatched)
	watching.Watch(&cfg, p.isRecorded(), c.Style.Source)
	watching.Recognise(c.Known)
	p.ask(&m.Checker, watching)
	l.Watch(watching, p.Live)
	replayed, err := p.replayed(&cfg, c.Style.Source)
	if err != nil {
		return nil, err
	}
	if p.halts() {
		l.HaltAt(p.goal(&cfg, replayed), p.Notes)
	}
	run, err := l.Start(ctx, memory, cfg)
	if err != nil {
		return nil, err
	}
	sink.InterruptibleAfter(run)
	ended := l.Await(run)
	replayed.write(c.Stderr, ended)
	p.writeMeeting(c.Stderr, ended)
	summary, results := watching.Judge(ctx, &m.Checker, run.Names(), r.Header, ended)
	return p.concluded(&m.Checker, summary, results, ended), nil
}

// concluded reports on the built-in properties, and says what came of it all.
func (p *Plan) concluded(c *check.Checker, summary findings.Summary, results []*tlcheck.Result, ended *launch.Result) *Conclusion {
	if err := findings.Write(c, p.Name, results); err != nil {
		c.ReportError(err)
	}
	c.NoteOpen()
	return &Conclusion{Outcomes: c.Outcomes, Code: ended.ExitCode, Checked: len(c.Properties) > 0, Builtins: summary, Reports: c.Reports}
}
