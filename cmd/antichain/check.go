package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
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
		Long: `check decides for every property whether it is violated in any order of the trace's events that the
program's synchronisation allows. It considers every global state (slice) that the program passes
through in any of these orders. TRACE is a file in text or binary form, or - for standard input;
with --format it is a log in another format. If a file holds several runs, each is reported as
FILE:RUN.

check also looks for violations of built-in properties, with or without a specification, if the trace
has the operations that they need: that of a run with --builtin has. It finds what that run has found.
Without --builtin it checks those for which the trace has what they need. A property that --builtin
names and that needs what the trace has not is unknown. antichain help builtins says what a report means.

check shows the violation with the fewest actions, or with --witness last the one with the most.
Among equals it takes the first goroutines for the task variables, in the order of the trace, and
then the first local states in that order.

--all shows every bug. It groups violations in which the goroutines of the task variables stand at
the same places, by source position and function. It shows the first violation of each group and
their number. Where the property treats task variables alike, as t1 and t2 in
not (t1:(in.f) and t2:(in.f)) if t1 != t2, violations that differ only in their roles are in one
group, and each of them counts. --count prints how many violations there are: pairs of a global
state and an assignment of goroutines to the task variables. antichain counts them without
enumerating them. --timeout starts anew for counting. Bounds are printed if --timeout or --memory
does not suffice, or if the global states cannot be counted exactly.

The verdict is unknown if --timeout or --memory does not suffice for a property, or after an
interrupt (ctrl-C). It then says what was covered. A second interrupt ends antichain at once.

With --json each property is one object:

    trace, property, formula
    verdict         holds, violated or unknown
    witness         null unless violated: "tiva" has the goroutine of each task variable, "slice" the
                    local state of each goroutine, "schedule" an order of events that leads there
    happened        whether the run came through that global state
    vacuous         why a property that holds could not be violated; only if that is so
    covered         what is certain; only if a budget ran out
    caveat          what the verdict depends on, if a log shows less than what happened
    reason          a tree with the value of every part of the formula in the witness
    count           with --count; null if only count_bounds are known
    count_bounds    at least, at most; null if there is no bound
    uncounted       with --count, if the search ended early
    groups          with --all: each has the "places" of the task variables, its count, witness,
                    happened and reason
    further_groups  the number of groups beyond the first 100
    exchangeable    the task variables that the property treats alike

Each node of "reason" has "formula", "value" and "tiva". "parts" are the nodes that its value depends
on; those of a temporal operator are in a later "slice", and "path" leads there. "now" has the values
of the parts of a temporal operator in the witness itself. "local" is the local state that an atom
looks at, with the values of its variables.

Exit codes: 0 all hold, 1 one is violated, 2 usage, specification or trace error, 3 unknown, or
with --strict vacuous (antichain help spec).`,
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
	summarise(cmd, cmd.Flags(), summary{`check decides for each property of --spec and -e, and for built-in ones such as deadlock, whether it is
violated in any order of the trace's events that the program's synchronisation allows. TRACE is a file
in text or binary form, or - for standard input; with --format it is a log in another format.

Exit codes: 0 all hold, 1 one is violated, 2 usage, specification or trace error, 3 unknown.`, []section{
		{"What is checked", []string{"spec", "expr", "builtin", "format"}},
		{"Which violations are shown", []string{"all", "count", "witness"}},
		{"Limits", []string{"timeout", "memory"}},
		{"What is printed", []string{"json", "strict"}},
	}})
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
