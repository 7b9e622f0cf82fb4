package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/launch"
)

// plan says what is to be checked on one traced binary and how to report on it. A plan is
// written down as JSON for the process that "go test -exec" starts.
type plan struct {
	Name                    string // of the trace in reports: the trace file, or the package
	Specs, Formulas, Shared []string
	Logic                   string
	Time                    time.Duration
	Memory                  int64
	JSON                    bool
	Witness                 string
	All, Count              bool
	Live, KeepGoing, Defer  bool
	Builtins                []builtin.Property
	Seed                    uint64        // of the schedule, 0 if it is not steered
	Explore                 int           // so many more runs under steered schedules
	Within                  time.Duration // in which all these runs must have ended, if it is not 0
	Limit                   time.Duration // for which the program may run, if it is not 0
	Output                  string        // trace file; "" for none
	Ship                    shipping      // where the trace is sent
	Untraced, Unwatched     []string      // what is lost of it with this version of Go; see instrument.Build
	Root                    string        // directory that positions are relative to
	Sources                 []string      // directories of source files
	Colour                  bool
	Width                   int
	Again                   string // the command that does the same again
}

// plan makes the plan for one package. Paths become absolute: go test runs each test
// binary in the directory of its package.
func (f *traceFlags) plan(spec specification, build *instrument.Build, p instrument.Package, style report.Style) *plan {
	return &plan{
		Name:  cmp.Or(f.output, p.ImportPath),
		Specs: absolute(spec.Files), Formulas: spec.Formulas, Shared: spec.Shared, Logic: f.logic, Time: f.Timeout, Memory: int64(f.Memory), JSON: f.json, Witness: f.witness,
		All: f.All, Count: f.Count, Live: f.live, KeepGoing: f.keepGoing, Defer: f.postpone, Builtins: f.builtins, Seed: f.seed, Explore: f.explore,
		Output: f.output, Ship: f.shipping(), Untraced: build.Untraced, Unwatched: build.Unwatched, Root: p.Root, Sources: []string{p.Root, p.Dir},
		Colour: style.Colour, Width: style.Width,
	}
}

// absolute returns absolute paths. Without a working directory they stay as they are.
func absolute(paths []string) []string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = p
		if abs, err := filepath.Abs(p); err == nil {
			all[i] = abs
		}
	}
	return all
}

// checker loads what the plan names.
func (p *plan) checker(out io.Writer) (*check.Checker, error) {
	specs := specfile.Source{Files: p.Specs, Formulas: p.Formulas, Shared: p.Shared}
	files, err := specs.Load()
	if err != nil {
		return nil, err
	}
	how := checkFlags{logic: p.Logic, budgetFlags: budgetFlags{limits.Limits{Timeout: p.Time, Memory: limits.Size(p.Memory)}}, witness: p.Witness}
	options, err := how.options()
	if err != nil {
		return nil, err
	}
	return &check.Checker{
		Stdout: out, Stderr: out, JSON: p.JSON, Options: options, Properties: specfile.Properties(files), Functions: specfile.FunctionsOf(files),
		Counting: check.Counting{All: p.All, Count: p.Count},
		Style:    report.Style{Width: p.Width, Colour: p.Colour, Source: report.Source{Dirs: p.Sources}, Again: p.Again},
	}, nil
}

// conclusion is what came of a traced program.
type conclusion struct {
	Code                      int  // the program's own exit code, 128+n for a signal
	Checked                   bool // a specification was checked
	Violated, Failed, Unknown bool
	Builtins                  findings.Outcome
	Bug                       bool // antichain panicked
	Overdue                   bool // the program was ended for running too long
}

// checked reports whether anything was checked.
func (c *conclusion) checked() bool { return c.Checked || len(c.Builtins.On) > 0 }

// exit returns the exit code of run and test, and whose it is.
func (c *conclusion) exit(program string) (code int, why string) {
	switch {
	case c.Bug:
		return exit.Bug, "antichain's: it has a bug"
	case c.Violated:
		return exit.Violated, "antichain's: a property is violated"
	case len(c.Builtins.Violated) > 0:
		return exit.Violated, "antichain's: a built-in property is violated"
	case c.Code != 0:
		return c.Code, program + "'s own"
	case c.Failed:
		return exit.Error, "antichain's: something went wrong with the trace"
	case c.Unknown, c.Builtins.IsUnknown():
		return exit.Unknown, "antichain's: a verdict is unknown"
	case !c.checked():
		return exit.Holds, program + "'s own"
	case !c.Checked:
		return exit.Holds, program + "'s own, and no built-in property is violated"
	}
	return exit.Holds, program + "'s own, and every property holds"
}

// conclude prints whose the exit code is as the last line. wanted and specs are what was to be checked.
func (c *conclusion) conclude(stderr io.Writer, program string, wanted []builtin.Property, specs ...specification) error {
	if !c.checked() && !c.Failed { // what went wrong was said
		fmt.Fprintln(stderr, "antichain: nothing was checked:", unchecked(wanted, specs))
	}
	code, why := c.exit(program)
	fmt.Fprintf(stderr, "antichain: exit code %d is %s\n", code, why)
	if code == exit.Holds {
		return nil
	}
	return exit.Code(code)
}

// unchecked says why none of these built-in properties and specifications was checked.
func unchecked(wanted []builtin.Property, specs []specification) string {
	reason := "there is no .tl file beside the package, no --spec and no -e was given, and --builtin is none"
	switch {
	case slices.Equal(wanted, []builtin.Property{builtin.Leak}):
		reason = "no specification names a function with must_finish"
	case len(wanted) > 0:
		reason = "go test ran no test binary; are there _test.go files?"
	}
	for _, s := range specs {
		if len(specfile.Properties(s.loaded)) > 0 {
			return "go test ran no test binary of a package with a specification; are there _test.go files?"
		}
		if s.Given() && len(wanted) == 0 {
			reason = "no specification has a property"
		}
	}
	return reason
}

// trace runs a traced binary, checks what it recorded and reports on out.
func (p *plan) trace(ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer) (*conclusion, error) {
	c, err := p.checker(out)
	if err != nil {
		return nil, err
	}
	cfg, err := p.config(binary, args, s, c)
	if err != nil {
		return nil, err
	}
	ship, err := p.ship(ctx, binary, s, out)
	if err != nil {
		return nil, err
	}
	if ship != nil {
		cfg.RunID, cfg.Ring.Busy = ship.run, math.MaxInt64 // brokers may be away for as long as they like
		defer ship.end(nil)
	}
	memory, stop := budget.WithMemory(ctx, p.Memory)
	defer stop()
	checked := len(c.Properties) > 0
	if checked && p.Live {
		return p.live(ctx, memory, cfg, c, ship)
	}
	r := &recorder{path: p.Output, ship: ship, check: checked, memory: memory}
	cfg.Header, cfg.Event = r.begin, r.add
	watching := findings.NewWatch(memory, p.Builtins, c.Functions, p.Unwatched)
	watching.Watch(&cfg)
	running, end := p.limited(ctx)
	defer end()
	run, err := launch.Start(running, cfg)
	if err != nil {
		return nil, err
	}
	ship.interruptibleAfter(run)
	ended := await(run, c, r)
	if checked {
		stop()
		p.judge(ctx, c, r, ended)
	}
	concluded := p.concluded(ctx, c, watching, run, r, ended)
	concluded.Overdue = ended.Signal != 0 && running.Err() != nil && ctx.Err() == nil
	return concluded, nil
}

// limited returns the context in which the program runs.
func (p *plan) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, p.Limit)
}

// live runs a traced binary and checks it meanwhile.
func (p *plan) live(ctx, memory context.Context, cfg launch.Config, c *check.Checker, ship *shipment) (*conclusion, error) {
	l := newLive(p.Name, &monitor.Monitor{Checker: *c, KeepGoing: p.KeepGoing, Postpone: p.Defer}, &recorder{path: p.Output, ship: ship})
	if err := l.attend(cfg.Stdin, cfg.Stderr); err != nil {
		return nil, err
	}
	watching := findings.NewWatch(memory, p.Builtins, c.Functions, p.Unwatched)
	watching.Watch(&cfg)
	run, err := l.start(ctx, memory, cfg)
	if err != nil {
		return nil, err
	}
	ship.interruptibleAfter(run)
	ended := await(run, &l.monitor.Checker, l.recorder)
	l.conclude(ended)
	return p.concluded(ctx, &l.monitor.Checker, watching, run, l.recorder, ended), nil
}

// concluded looks at the built-in properties, and says what came of it all.
func (p *plan) concluded(ctx context.Context, c *check.Checker, watching *findings.Watch, run *launch.Run, r *recorder, ended *launch.Result) *conclusion {
	outcome, err := watching.Judge(ctx, c, p.Name, run.Names(), r.header, ended)
	if err != nil {
		c.ReportError(err)
	}
	return &conclusion{
		Code: ended.ExitCode, Checked: len(c.Properties) > 0,
		Violated: c.Violated, Failed: c.Failed, Unknown: c.Unknown, Builtins: outcome,
	}
}

// await waits for the end of the program and keeps its trace.
func await(run *launch.Run, c *check.Checker, r *recorder) *launch.Result {
	ended, err := run.Wait()
	if err != nil {
		c.ReportError(err)
	}
	if err := keepTrace(r, &ended); err != nil {
		c.ReportError(err)
	}
	if r.ship != nil {
		if err := r.ship.finish(&ended); err != nil {
			c.ReportError(err)
		}
	}
	return &ended
}

// keepTrace completes the trace file, if one was asked for. A file does not show that
// something is missing, and a verdict on it could be wrong: then there is none.
func keepTrace(r *recorder, ended *launch.Result) error {
	if r.file == nil || ended.Missing == 0 {
		return r.finish()
	}
	r.abandon()
	return fmt.Errorf("no trace is kept: %s", findings.Missing(ended))
}

// judge gives the verdicts on what was recorded; none but unknown if something is missing.
func (p *plan) judge(ctx context.Context, c *check.Checker, r *recorder, ended *launch.Result) {
	switch {
	case !ended.Complete:
		c.Refuse(p.Name, "the trace was not read to its end")
		return
	case ended.Missing > 0:
		c.Refuse(p.Name, findings.Missing(ended))
		return
	case r.header != nil && input.Untraced(r.header) != "":
		c.Refuse(p.Name, input.Untraced(r.header))
		return
	case r.unread != nil:
		c.Refuse(p.Name, r.unread.Error())
		return
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	net, err := r.net()
	if err != nil {
		c.ReportError(err)
	}
	if net != nil {
		c.CheckNet(ctx, p.Name, net)
	}
}
