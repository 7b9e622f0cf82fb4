package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/histories"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reordering"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
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
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 if a property holds only because its expressions are undefined in all local states (vacuous)")
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

// settings translates the flags.
func (f *checkFlags) settings(style report.Style) (check.Settings, error) {
	options, err := f.options()
	return check.Settings{Options: options, ViolationFlags: f.ViolationFlags, Strict: f.strict, JSON: f.json, Style: style}, err
}

type checkVerb struct {
	specs    specfile.Source
	how      checkFlags
	from     input.Flags
	out      reports.Flags
	partial  bool // --partial
	predict  predictFlag
	on       findings.Flag
	builtins findings.Wanted // those of on
	model    histories.Flag  // --linearizable
}

func newCheck(s terminal.Streams) *cobra.Command {
	var v checkVerb
	cmd := &cobra.Command{
		Use:   "check [--spec FILE] [-e FORMULA] [--builtin NAMES] [--logic l3|frey96] [--json] TRACE...",
		Short: "check a specification and built-in properties on recorded traces",
		RunE: func(cmd *cobra.Command, traces []string) error {
			v.builtins = findings.Wanted{On: v.on, Named: cmd.Flags().Changed("builtin")}
			if cmd.Flags().Changed("linearizable") {
				return v.runHistories(cmd, s, traces)
			}
			return v.run(cmd.Context(), s, traces)
		},
	}
	flags := cmd.Flags()
	v.specs.Register(flags)
	v.how.register(flags)
	v.how.ViolationFlags.Register(flags)
	v.how.registerStrict(flags)
	v.predict.register(flags)
	v.from.Register(flags)
	v.on.Register(flags)
	v.out.Register(flags)
	v.on = findings.Flag(findings.Known)
	flags.Lookup("builtin").DefValue = "" // those for which the trace has what they need
	flags.Var(&v.model, "linearizable",
		"check whether the operations in a history are explained by a `MODEL`: "+strings.Join(linearizability.Names(), ", "))
	flags.BoolVar(&v.partial, "partial", false, "also report on what was read before a mistake in a trace")
	help.Summarise(cmd, flags, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin", "predict", "format", "linearizable"}},
		{Title: "Which violations are shown", Flags: []string{"all", "count", "witness"}},
		{Title: "Limits", Flags: []string{"timeout", "memory"}},
		{Title: "What is printed", Flags: []string{"json", "report", "baseline", "strict"}},
	})
	return cmd
}

// run checks traces.
func (v *checkVerb) run(ctx context.Context, s terminal.Streams, traces []string) error {
	c, err := v.prepare(s, traces)
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	memory, end := budget.WithMemory(ctx, int64(v.how.Memory))
	defer end()
	for _, path := range traces {
		v.check(ctx, memory, s, c, path, len(traces) > 1)
	}
	c.NoteOpen()
	c.Reports.Cut = c.Failed
	if !v.out.Write(s, c.Reports) {
		c.Failed = true
	}
	return c.Err()
}

// ofHistories are the flags that go with --linearizable.
var ofHistories = []string{"linearizable", "timeout", "memory", "json"}

// runHistories checks whether operations are linearizable.
func (v *checkVerb) runHistories(cmd *cobra.Command, s terminal.Streams, paths []string) error {
	if len(paths) == 0 {
		return errors.New("no HISTORY given: name a file, or - for standard input")
	}
	if err := v.how.validate(); err != nil {
		return err
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(ofHistories, f.Name) {
			err = fmt.Errorf("--%s: not with --linearizable, which checks histories of operations", f.Name)
		}
	})
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(cmd.Context())
	defer stop()
	c := histories.Check{Model: v.model, Limits: v.how.Limits, JSON: v.how.json}
	return c.Run(ctx, s, paths)
}

// prepare finds mistakes in the flags, and returns what checks.
func (v *checkVerb) prepare(s terminal.Streams, traces []string) (*check.Checker, error) {
	if len(traces) == 0 {
		return nil, errors.New("no TRACE given: name a trace file, or - for standard input")
	}
	if err := v.from.Validate(); err != nil {
		return nil, err
	}
	files, err := v.specs.Load()
	if err != nil {
		return nil, err
	}
	if len(specfile.Properties(files))+len(v.builtins.On) == 0 {
		return nil, errors.New("nothing to check: give a specification with --spec FILE or -e FORMULA, or name built-in properties with --builtin")
	}
	settings, err := v.how.settings(terminal.StyleOf(s.Out))
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(v.builtins.On.Suits(specfile.FunctionsOf(files)), v.predict.check(&v.how)); err != nil {
		return nil, err
	}
	if err := v.out.Prepare(traces...); err != nil {
		return nil, err
	}
	c := settings.Checker(files, s.Out, s.Err)
	c.Style.Source = specfile.SourceFor(v.specs.Files)
	c.Known, c.Reports = v.out.Recogniser(c.Style.Source, s), v.out.Collection()
	return c, nil
}

// check checks the runs in one of the traces, perhaps one of several.
func (v *checkVerb) check(ctx, memory context.Context, s terminal.Streams, c *check.Checker, path string, several bool) {
	var watched *findings.TraceWatch
	var orders func() check.Orders
	watch := func(t *input.Trace) (netless bool) {
		run := t.Reader
		watched = findings.WatchTrace(memory, run, v.builtins, c.Functions)
		t.Reader = watched
		if v.predict == predictLocks && v.specs.Given() {
			reordered := reordering.NewReader(run, watched)
			t.Reader, orders = reordered, reordered.Finish
		}
		return !v.specs.Given() && !v.out.Draws()
	}
	for r := range input.ReadWatched(ctx, &v.how.Limits, path, s, &v.from, v.partial, watch) {
		c.Prefix = ""
		if several || r.Run != "" {
			c.Prefix = event.Printable(r.Name) + ": "
		}
		c.Style.Again = v.again(path, r.Run)
		c.CheckReading(ctx, r, orders)
		if err := v.builtins.Judge(ctx, c, watched, r, v.partial); err != nil {
			c.ReportError(err)
		}
	}
}

// again returns the command that checks a trace again.
func (v *checkVerb) again(trace, run string) string {
	if trace == "-" {
		return ""
	}
	words := append([]string{"antichain", "check"}, v.specs.Words()...)
	if v.how.logic != "l3" {
		words = append(words, "--logic", v.how.logic)
	}
	if v.builtins.Named {
		words = append(words, "--builtin", v.builtins.On.String())
	}
	if v.how.witness == lastWitness {
		words = append(words, "--witness", lastWitness)
	}
	words = append(words, v.how.ViolationFlags.Words()...)
	words = append(words, v.predict.words()...)
	words = append(words, v.from.Words(run)...)
	return rerun.Quote(append(words, trace))
}
