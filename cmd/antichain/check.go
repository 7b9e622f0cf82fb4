package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags are the flags that say how to check.
type checkFlags struct {
	budgetFlags                 // --timeout is for each property, and for reading
	logic                string // --logic
	json                 bool   // --json
	witness              string // --witness
	strict               bool   // --strict; of check, run, test and monitor
	check.ViolationFlags        // of check, run and test
}

// The values of --witness.
const (
	firstWitness = "first"
	lastWitness  = "last"
)

func (f *checkFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	f.budgetFlags.register(flags, 10*time.Minute, "a property, or on reading a trace,")
	flags.BoolVar(&f.json, "json", false, "print one JSON object for each property")
	flags.StringVar(&f.witness, "witness", firstWitness, "show this violation, by `WHICH`: first (with the fewest actions) or last (with the most)")
}

func (f *checkFlags) registerStrict(flags *pflag.FlagSet) {
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 if a property holds that could not be violated, as its expressions are undefined in all local states")
}

// options translates the flags.
func (f *checkFlags) options() (tlcheck.Options, error) {
	logic, ok := lsl.ParseLogic(f.logic)
	if !ok {
		return tlcheck.Options{}, fmt.Errorf("--logic %s: the dialects are l3 and frey96", f.logic)
	}
	if err := f.validate(); err != nil {
		return tlcheck.Options{}, err
	}
	if f.witness != "" && f.witness != firstWitness && f.witness != lastWitness {
		return tlcheck.Options{}, fmt.Errorf("--witness %s: the choices are %s and %s", f.witness, firstWitness, lastWitness)
	}
	return tlcheck.Options{Logic: logic, Time: f.Timeout, Memory: int64(f.Memory), Last: f.witness == lastWitness}, nil
}

func newCheck(s terminal.Streams) *cobra.Command {
	var specs specfile.Source
	var how checkFlags
	var from input.Flags
	var partial bool
	var on findings.Flag
	cmd := &cobra.Command{
		Use:   "check [--spec FILE] [-e FORMULA] [--builtin NAMES] [--logic l3|frey96] [--json] TRACE...",
		Short: "check a specification and built-in properties on recorded traces",
		RunE: func(cmd *cobra.Command, traces []string) error {
			builtins := findings.Wanted{On: on, Named: cmd.Flags().Changed("builtin")}
			return runCheck(cmd.Context(), s, &specs, &how, &from, traces, partial, builtins)
		},
	}
	specs.Register(cmd.Flags())
	how.register(cmd.Flags())
	how.ViolationFlags.Register(cmd.Flags())
	how.registerStrict(cmd.Flags())
	from.Register(cmd.Flags())
	on.Register(cmd.Flags())
	on = findings.Flag(findings.Known)
	cmd.Flags().Lookup("builtin").DefValue = "" // those for which the trace has what they need
	cmd.Flags().BoolVar(&partial, "partial", false, "also report on what was read before a mistake in a trace")
	help.Summarise(cmd, cmd.Flags(), []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin", "format"}},
		{Title: "Which violations are shown", Flags: []string{"all", "count", "witness"}},
		{Title: "Limits", Flags: []string{"timeout", "memory"}},
		{Title: "What is printed", Flags: []string{"json", "strict"}},
	})
	return cmd
}

func runCheck(ctx context.Context, s terminal.Streams, specs *specfile.Source, how *checkFlags, from *input.Flags, traces []string, partial bool, builtins findings.Wanted) error {
	if len(traces) == 0 {
		return errors.New("no TRACE given: name a trace file, or - for standard input")
	}
	if !specs.Given() && len(builtins.On) == 0 {
		return errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA, or name built-in properties with --builtin")
	}
	if err := from.Validate(); err != nil {
		return err
	}
	files, err := specs.Load()
	if err != nil {
		return err
	}
	opt, err := how.options()
	if err != nil {
		return err
	}
	c := &check.Checker{
		Stdout: s.Out, Stderr: s.Err, JSON: how.json, Options: opt, ViolationFlags: how.ViolationFlags, Strict: how.strict,
		Style: terminal.StyleOf(s.Out), Properties: specfile.Properties(files), Functions: specfile.FunctionsOf(files),
	}
	c.Style.Source = specfile.SourceFor(specs.Files)
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	memory, end := budget.WithMemory(ctx, int64(how.Memory))
	defer end()
	for _, path := range traces {
		var watched *findings.TraceWatch
		watch := func(t *input.Trace) (netless bool) {
			watched = findings.WatchTrace(memory, t.Reader, builtins, c.Functions)
			t.Reader = watched
			return !specs.Given()
		}
		for r := range input.ReadWatched(ctx, &how.Limits, path, s, from, partial, watch) {
			c.Prefix = ""
			if len(traces) > 1 || r.Run != "" {
				c.Prefix = event.Printable(r.Name) + ": "
			}
			c.Style.Again = againCheck(specs, how, from, path, r.Run, builtins)
			c.CheckReading(ctx, r)
			if watched == nil || r.Err != nil && !partial && !check.IsCut(r.Err) {
				continue
			}
			if !specs.Given() && !watched.Checked() && r.Err == nil {
				c.ReportError(fmt.Errorf("%s: nothing to check: the trace has no operations for built-in properties (record the run with --builtin, or give a specification with --spec FILE or -e FORMULA)", event.Printable(r.Name)))
			}
			if err := watched.Judge(ctx, c, r.Name, r.Useless); err != nil {
				c.ReportError(err)
			}
		}
	}
	return c.Outcomes.Err()
}

// againCheck is the command that checks a trace again.
func againCheck(specs *specfile.Source, how *checkFlags, from *input.Flags, trace, run string, builtins findings.Wanted) string {
	if trace == "-" {
		return ""
	}
	words := append([]string{"antichain", "check"}, specs.Words()...)
	if how.logic != "l3" {
		words = append(words, "--logic", how.logic)
	}
	if builtins.Named {
		words = append(words, "--builtin", builtins.On.String())
	}
	if how.witness == lastWitness {
		words = append(words, "--witness", lastWitness)
	}
	words = append(words, how.ViolationFlags.Words()...)
	words = append(words, from.Words(run)...)
	return rerun.Quote(append(words, trace))
}
