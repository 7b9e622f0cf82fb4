package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags are the flags that say how to check.
type checkFlags struct {
	budgetFlags           // --timeout is for each property, and for reading
	logic          string // --logic
	json           bool   // --json
	witness        string // --witness
	check.Counting        // of check, run and test
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
	flags.StringVar(&f.witness, "witness", firstWitness, "`WHICH` violation to show: the first one, with the fewest actions, or the last, with the most")
}

// options translates the flags.
func (f *checkFlags) options() (tlcheck.Options, error) {
	logic, ok := lsl.ParseLogic(f.logic)
	if !ok {
		return tlcheck.Options{}, fmt.Errorf("--logic %s: the dialects are l3 or frey96", f.logic)
	}
	if err := f.validate(); err != nil {
		return tlcheck.Options{}, err
	}
	if f.witness != "" && f.witness != firstWitness && f.witness != lastWitness {
		return tlcheck.Options{}, fmt.Errorf("--witness %s: it is %s or %s", f.witness, firstWitness, lastWitness)
	}
	return tlcheck.Options{Logic: logic, Time: f.Timeout, Memory: int64(f.Memory), Last: f.witness == lastWitness}, nil
}

func newCheck(s terminal.Streams) *cobra.Command {
	var specs specfile.Source
	var how checkFlags
	var from input.Flags
	var partial bool
	cmd := &cobra.Command{
		Use:   "check [--spec FILE] [-e FORMULA] [--logic l3|frey96] [--json] TRACE...",
		Short: "check a specification on recorded traces",
		Long: `check decides for every property whether it is false in any global state that the traced
program passes through in any order of the trace's events that its synchronisation allows.
TRACE is a file in the text or the binary form, or - for standard input; with --format a log in
another format. Each run of a file with several is reported as FILE:RUN.

Of all violations the one with the fewest actions is shown, or with --witness last the one with
the most; then the first goroutines as TIVs, in the order of the trace, and then the first local
states in that order.

With --all every bug is shown: violations in which the goroutines of the TIVs stand at the same
places, by source position and function, make a group, and the first one of each is shown
with their number. Where the property says the same of some TIVs, as of t1 and t2 in
not (t1:(in.f) and t2:(in.f)) if t1 != t2, the violations that differ only by which is which are
in one group, and each of them counts. --count prints how many violations there are, pairs of a global
state and goroutines for the TIVs. They are counted without being enumerated, and --timeout begins
anew for that; where it or --memory does not suffice, and where global states cannot be counted
exactly, bounds are printed.

A property that --timeout or --memory does not suffice for has the verdict unknown; it says what
was covered. So does an interrupt (ctrl-C); a second one ends antichain at once.

With --json each property is one object: "trace", "property", "formula", "verdict" (holds,
violated or unknown), "witness" (null unless violated) with the goroutine of each TIV in "tiva",
the local state of each goroutine in "slice" and an order of events that leads there in
"schedule", and "happened": whether the run came through that slice. "covered" is there if a budget
ran out, and says what is certain; "caveat" is what the verdict rests on if a log shows less than
what happened. "reason" is a tree that gives the value of every part of the
formula in the witness: "formula", "value", "tiva"; "parts" is what the value rests on, for a
temporal operator in a later "slice" to which "path" leads from there; "now" are the values that
the parts of a temporal operator have in the witness itself; "local" is the local state that an
atom looks at, with the values of its variables. --count adds "count", which is null if only
"count_bounds" are known (at least, at most; null if there is no bound), and "uncounted" if
the search ended early. --all adds also "groups", each with the "places" of the TIVs, its count,
witness, happened and reason, "further_groups", the number of those beyond the first 100, and
"exchangeable", the TIVs of which the property says the same.

Exit codes: 0 all hold, 1 one is violated, 2 usage, specification or trace error, 3 unknown.`,
		RunE: func(cmd *cobra.Command, traces []string) error {
			return runCheck(cmd.Context(), s, &specs, &how, &from, traces, partial)
		},
	}
	specs.Register(cmd.Flags())
	how.register(cmd.Flags())
	how.Counting.Register(cmd.Flags())
	from.Register(cmd.Flags())
	cmd.Flags().BoolVar(&partial, "partial", false, "report also on what was read before a mistake in a trace")
	return cmd
}

func runCheck(ctx context.Context, s terminal.Streams, specs *specfile.Source, how *checkFlags, from *input.Flags, traces []string, partial bool) error {
	if len(traces) == 0 {
		return errors.New("no TRACE given: name a trace file, or - for standard input")
	}
	if !specs.Given() {
		return errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA")
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
		Stdout: s.Out, Stderr: s.Err, JSON: how.json, Options: opt, Counting: how.Counting,
		Style: terminal.StyleOf(s.Out), Properties: specfile.Properties(files),
	}
	c.Style.Source = report.Source{Dirs: specfile.SourceDirs(specs.Files)}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	for _, path := range traces {
		for r := range input.Read(ctx, &how.Limits, path, s, from, partial) {
			c.Prefix = ""
			if len(traces) > 1 || r.Run != "" {
				c.Prefix = event.Printable(r.Name) + ": "
			}
			c.Style.Again = againCheck(specs, how, from, path, r.Run)
			c.CheckReading(ctx, r)
		}
	}
	return c.Outcomes.Err()
}

// againCheck is the command that checks a trace again.
func againCheck(specs *specfile.Source, how *checkFlags, from *input.Flags, trace, run string) string {
	if trace == "-" {
		return ""
	}
	words := append([]string{"antichain", "check"}, specs.Words()...)
	if how.logic != "l3" {
		words = append(words, "--logic", how.logic)
	}
	if how.witness == lastWitness {
		words = append(words, "--witness", lastWitness)
	}
	words = append(words, how.Counting.Words()...)
	words = append(words, from.Words(run)...)
	return rerun.Quote(append(words, trace))
}
