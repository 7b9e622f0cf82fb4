package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/cmd/antichain/internal/verification"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/spf13/cobra"
)

func newRun(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`: as text if its name ends in .jsonl, else in binary form", true)
	flags.BoolVar(&f.wait, "wait-for-checker", false, "make the program wait until antichain attach checks it from another terminal")
	flags.DurationVar(&f.Limit, "end-after", 0, "end a run of the program after this `DURATION`, and check what it did until then; 0 means never")
	f.registerHang(flags, 0)
	delivery.RegisterRunID(flags, &f.sink.RunID)
	cmd := &cobra.Command{
		Use:                   "run [--spec FILE] [-e FORMULA] [-o TRACE] [go build flags] PACKAGE [args...]",
		Short:                 "trace one run of a program and check it",
		DisableFlagsInUseLine: true,
	}
	help.Summarise(cmd, flags, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin"}},
		{Title: "Other orders", Flags: []string{"predict", "confirm", "explore", "for", "runs", "replay"}},
		{Title: "While the program runs", Flags: []string{"live", "halt-at"}},
		{Title: "What is kept and printed", Flags: []string{"output", "json", "report", "baseline"}},
	})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return run(ctx, s, f, args)
	})
}

func run(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	if f.schedules.Dir != "" && f.confirm.Attempts == 0 && !f.explores() {
		return errors.New("--schedule-dir needs --confirm, --explore or --for, which make schedules")
	}
	if err := bareNumber("--confirm", f.confirm.Attempts > 0, args.Rest); err != nil {
		return err
	}
	packages, rest := splitPackage(args.Rest)
	if len(packages) == 0 {
		return errors.New("no PACKAGE given: name the program, for example antichain run ./cmd/server")
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.wait && (f.Seed+f.Yields > 0 || f.runsSeveral()) {
		return errors.New("--wait-for-checker cannot be combined with --seed, --yields, --explore, --for or --runs: antichain attach checks a single run")
	}
	if f.wait && f.sink.To != "" {
		return errors.New("--wait-for-checker cannot be combined with --to: antichain attach receives the trace, and cannot send it")
	}
	if f.wait && f.mayHalt() {
		return errors.New("--wait-for-checker cannot be combined with --halt or --halt-at: antichain attach halts the program at violations")
	}
	if f.Limit < 0 {
		return fmt.Errorf("--end-after %v: must not be negative", f.Limit)
	}
	if f.Hang > 0 && (f.wait || f.live.On) {
		return errors.New("--hang-timeout cannot be combined with --wait-for-checker or --live: " +
			"--live halts the program when it hangs")
	}
	if f.Limit > 0 && (f.wait || f.live.On) {
		return errors.New("--end-after cannot be combined with --wait-for-checker or --live: it ends runs that are checked at their end")
	}
	if f.wait && (f.live.On || f.output != "") {
		return errors.New("--wait-for-checker cannot be combined with --live or -o: antichain attach checks live, and has -o")
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	p, binary, err := f.buildProgram(ctx, s, f.tracedBuild(args.Go, packages, dir.Path()))
	if err != nil {
		return err
	}
	if f.wait {
		return execution.RunWaiting(ctx, s, binary, rest, func(pid int) string { return rerun.Attach(p.Specification, f.logic, pid) })
	}
	plan := f.plan(p.Specification, p.Build, p.Package, terminal.StyleOf(s.Err))
	plan.Known.Excluded = p.Excluded
	plan.Check.Style.Again = rerun.Verb("run", again(f, args))
	if f.verifies != "" {
		outcome, err := verification.Run(ctx, plan, binary, rest, s.Err)
		if err != nil {
			return err
		}
		return f.verified(s, outcome)
	}
	result, err := exploration.Run(ctx, plan, binary, rest, s, s.Err)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprint(s.Err, result.Builtins.Text())
	}
	if !f.out.Write(s, result.Reports) {
		result.Failed = true
	}
	program := "the program"
	if f.Limit > 0 && result.Overdue && !result.Hung {
		fmt.Fprintf(s.Err, "antichain: ended the program after %v (--end-after)\n", f.Limit)
	}
	if result.Hung || f.Limit > 0 && result.Overdue { // its exit code means nothing
		program, result.Code = "antichain", 0
	}
	return result.Conclude(s.Err, program, f.scope(p.Build, p.Specification))
}

func (f *traceFlags) buildProgram(ctx context.Context, s terminal.Streams, config *tracedbuild.Config) (p *tracedbuild.Program, binary string, err error) {
	building := terminal.Working(s.Err, "building the traced program")
	defer building.Done()
	err = tracedbuild.Interruptible(ctx, building, func(ctx context.Context) (err error) {
		if p, err = config.Program(ctx, building); err != nil {
			return err
		}
		if err := f.possible(p.Build, p.Specification); err != nil {
			return err
		}
		bin := filepath.Join(config.Dir, "bin")
		if err := os.Mkdir(bin, 0o700); err != nil {
			return err
		}
		binary = filepath.Join(bin, p.Command)
		return p.Build.CompileAgain(ctx, binary)
	})
	return p, binary, err
}

// splitPackage separates the package, or the .go files that make one, from the program's
// arguments, as go run does.
func splitPackage(args []string) (packages, rest []string) {
	n := 0
	for n < len(args) && strings.HasSuffix(args[n], ".go") {
		n++
	}
	if n == 0 && len(args) > 0 {
		n = 1
	}
	return args[:n], args[n:]
}
