package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testrun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/verification"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/spf13/cobra"
)

// verifiedRuns is how many runs near a schedule are made, if nothing is said.
const verifiedRuns = 30

func newVerify(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("not with verify: it keeps no trace", true)
	flags.DurationVar(&f.Limit, "end-after", time.Minute,
		"end a run that takes longer than this `DURATION`, and check what it did until then; 0 means never")
	cmd := &cobra.Command{
		Use:                   "verify [flags of run or test] FILE PACKAGE [args...]",
		Short:                 "verify that a program no longer does what a schedule shows",
		DisableFlagsInUseLine: true,
	}
	help.Summarise(cmd, flags, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin"}},
		{Title: "How many runs are made", Flags: []string{"explore", "for", "seed", "end-after"}},
		{Title: "What is kept and printed", Flags: []string{"schedule-dir", "json"}},
	})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		if len(args.Rest) < 2 {
			return errors.New("name the FILE of a schedule, and then the PACKAGE of the program, " +
				"for example antichain verify bank-deadlock.schedule ./examples/bank")
		}
		kept, err := f.verifySchedule(args.Rest[0])
		if err != nil {
			return err
		}
		if kept.Meets() && !findings.NeedsAccesses(f.builtins) {
			f.builtins = append(slices.Clip(f.builtins), builtin.Race)
			args.Own = append(args.Own, "--builtin", strings.Join(findings.Names(f.builtins), ","))
		}
		if args.Rest = args.Rest[1:]; kept.OfTest() {
			return test(ctx, s, f, args)
		}
		return run(ctx, s, f, args)
	})
}

// verifySchedule makes the flags those of a verification.
func (f *traceFlags) verifySchedule(file string) (*schedule.Schedule, error) {
	kept, err := execution.LoadSchedule(file)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Extent.All, f.Runs > 1, f.StopAt != "":
		return nil, errors.New("verify cannot be combined with --explore all, --runs or --stop-at: " +
			"it ends at the first violation")
	case f.Replay != "", f.Yields > 0, f.wait:
		return nil, errors.New("verify cannot be combined with --replay, --yields or --wait-for-checker: " +
			"it says itself how the program runs")
	}
	if f.Explore == 0 {
		f.Explore = verifiedRuns
	}
	f.verifies, err = filepath.Abs(file)
	return kept, err
}

// verified reports on a verification.
func (f *traceFlags) verified(s terminal.Streams, o *verification.Outcome) error {
	write := o.Write
	if f.json {
		write = o.WriteJSON
	}
	if err := write(s.Out); err != nil {
		return err
	}
	if code := o.Code(); code != exit.Holds {
		return exit.Code(code)
	}
	return nil
}

// verifiedTest reports on the verification that a test binary has made.
func (f *traceFlags) verifiedTest(s terminal.Streams, results []testrun.Result) error {
	for _, r := range results {
		if r.Verification != nil {
			return f.verified(s, r.Verification)
		}
	}
	return errors.New("no test ran: are there _test.go files?")
}
