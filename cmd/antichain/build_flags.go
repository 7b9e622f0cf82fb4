package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/config"
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/live"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recording"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// traceFlags are the flags of the verbs that build a traced program.
type traceFlags struct {
	specfile.Source
	checkFlags
	steerFlags
	execution.Pace // --end-after, --full and --linger
	sink           delivery.SinkFlags
	out            reports.Flags
	functions      []string      // --func
	otherwise      []string      // as functions, if nothing is named; of debug
	steps          bool          // --steps
	output         string        // -o
	builtins       findings.Flag // --builtin
	raceIn         []string      // --race-in
	exclude        []string      // --exclude
	predict        predictFlag   // --predict
	live           live.Settings // --live, --keep-going and --defer
	wait           bool          // --wait-for-checker; of run
	verbose        bool          // -x
	help           bool          // -h
	checks         bool          // the verb checks, and minds the settings of the module

	without []string // capabilities of tracing that are left out, in tests; see instrument.Config
}

// defaultLinger is the time that a program waits at its end for running goroutines, without
// --linger.
const defaultLinger = time.Second

// flagSet returns the flags; what -o means depends on the verb.
func (f *traceFlags) flagSet(output string, checks bool) *pflag.FlagSet {
	flags := pflag.NewFlagSet("antichain", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetInterspersed(false)
	f.checks = checks
	f.Source.Register(flags)
	flags.StringArrayVar(&f.Shared, "shared", nil, "trace this `VARIABLE` with the set of its possible values; may be repeated")
	flags.StringArrayVar(&f.functions, "func", nil, "also trace the functions that match this `PATTERN`; may be repeated")
	flags.BoolVar(&f.steps, "steps", false, "record every statement of the traced functions, which next counts")
	flags.VarP((*atomicfile.Flag)(&f.output), "output", "o", output)
	if checks {
		f.checkFlags.register(flags)
		f.ViolationFlags.Register(flags)
		f.registerStrict(flags)
		f.predict.register(flags)
		f.builtins.Register(flags)
		f.steerFlags.register(flags)
		flags.DurationVar(&f.Linger, "linger", defaultLinger, "before the program ends, wait at most this `DURATION` for goroutines that can still run, if built-in properties are checked; 0 means not at all")
		flags.BoolVar(&f.Full, "full", false, "judge built-in properties on the whole run, however long the program must wait for antichain; otherwise they are judged on the first part of the run once the program would wait for two thirds of its time")
		f.sink.Register(flags)
		f.out.Register(flags)
		flags.StringArrayVar(&f.raceIn, "race-in", nil, "with --builtin race or copy, also watch memory accesses in the packages of other modules that match this `PATTERN`, besides those in the standard library, the named packages and the rest of their modules; may be repeated")
		flags.StringArrayVar(&f.exclude, "exclude", nil, "do not test the packages that match this `PATTERN`, and do not report findings whose goroutines are all in them; may be repeated")
		f.live.Register(flags, "check while the program runs, and halt it at a violation; with --live=predicted also at one of a built-in property that is only predicted")
		flags.BoolVar(&f.live.KeepGoing, "keep-going", false, "with --live, continue after a violation with the other properties")
		flags.BoolVar(&f.live.Postpone, "defer", false, "with --live, check at the end the properties that cannot be checked on-the-fly")
	}
	registerCacheDir(flags, &f.schedules.Cache)
	flags.BoolVarP(&f.verbose, "verbose", "x", false, "make go print the commands that it runs")
	flags.BoolVarP(&f.help, "help", "h", false, "help")
	return flags
}

// defaultTestHang is after which time of hanging a test binary is ended, if nothing is said.
const defaultTestHang = time.Minute

// registerHang adds the flag of the verbs that run a program.
func (f *traceFlags) registerHang(flags *pflag.FlagSet, after time.Duration) {
	flags.DurationVar(&f.Hang, "hang-timeout", after,
		"end the program when it has hung for this `DURATION`: function main waits for ever, "+
			"or nothing has happened since a goroutine began to wait for ever; 0 means never")
}

// registerCacheDir adds the flag of the verbs that build traced programs.
func registerCacheDir(flags *pflag.FlagSet, dir *string) {
	flags.StringVar(dir, "cache-dir", "", "keep what is built for later runs in this `DIRECTORY`; default that of the environment variable "+cachedir.Variable+", else one in the user's cache")
}

// errHelp says that help was asked for and nothing is to be done.
var errHelp = errors.New("help requested")

// parse takes the command line of a verb apart. Its own flags have two dashes or are one of
// -e -o -x -h; all others up to the first package belong to go.
func (f *traceFlags) parse(flags *pflag.FlagSet, args []string) (instrument.Args, error) {
	split, err := instrument.SplitArgs(args, func(name string) (known, takesValue bool) {
		flag := flags.Lookup(name)
		if len(name) == 1 {
			flag = flags.ShorthandLookup(name)
		}
		return flag != nil, flag != nil && flag.NoOptDefVal == ""
	})
	if err != nil {
		return split, err
	}
	if err := flags.Parse(split.Own); err != nil {
		return split, err
	}
	if f.help {
		return split, errHelp
	}
	for _, name := range []string{"seed", "yields", "for"} {
		if flag := flags.Lookup(name); flag != nil && flag.Changed && flag.Value.String() == flag.DefValue {
			return split, fmt.Errorf("--%s %s: must be above zero", name, flag.DefValue)
		}
	}
	if f.checks {
		if err := configure(flags, split.Go); err != nil {
			return split, err
		}
	}
	if f.verbose {
		split.Go = append(split.Go, "-x=true")
	}
	return split, nil
}

// configure sets the flags that were not given as the module says in which go works with its flags.
func configure(flags *pflag.FlagSet, goFlags []string) error {
	dir, err := instrument.WorkingDir(goFlags)
	if err != nil {
		return err
	}
	file, err := config.Find(dir)
	if err != nil {
		return err
	}
	return file.Apply(flags)
}

// goVerb makes a command whose flags are taken apart by parse.
func goVerb(cmd *cobra.Command, f *traceFlags, flags *pflag.FlagSet, run func(context.Context, instrument.Args) error) *cobra.Command {
	cmd.DisableFlagParsing = true
	cmd.Flags().AddFlagSet(flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		split, err := f.parse(flags, args)
		if errors.Is(err, errHelp) {
			return cmd.Help()
		}
		if err != nil {
			return flagError(cmd, err)
		}
		return run(cmd.Context(), split)
	}
	return cmd
}

// check finds mistakes in the flags before anything is built.
func (f *traceFlags) check() error {
	if err := cmp.Or(f.checkLive(), f.findSchedules()); err != nil {
		return err
	}
	if f.output != "" {
		if err := tracefile.CheckOverwritable(f.output); err != nil {
			return err
		}
	}
	return f.out.Prepare(f.output)
}

// checkLive finds mistakes in the flags that say how to check.
func (f *traceFlags) checkLive() error {
	if _, err := f.options(); err != nil {
		return err
	}
	if err := errors.Join(f.checkSteering(), f.sink.Check(f.runsSeveral())); err != nil {
		return err
	}
	if err := f.checkPredict(); err != nil {
		return err
	}
	switch {
	case f.Hang < 0:
		return fmt.Errorf("--hang-timeout %v: must not be negative", f.Hang)
	case len(f.raceIn) > 0 && !findings.NeedsAccesses(f.builtins):
		return errors.New("--race-in needs --builtin race or copy, which watch memory accesses")
	case f.Linger < 0:
		return fmt.Errorf("--linger %v: must not be negative", f.Linger)
	case !f.live.On && f.live.KeepGoing:
		return errors.New("--keep-going needs --live")
	case !f.live.On && f.live.Postpone:
		return errors.New("--defer needs --live")
	case (f.live.On || f.mayHalt()) && (f.ViolationFlags.Given() || f.witness == lastWitness):
		return errors.New("--live cannot be combined with --all, --count or --witness last: it shows the first violation that occurs; keep the trace with -o and use antichain check")
	}
	return nil
}

// checkPredict finds mistakes in --predict, and flags that cannot be combined with it.
func (f *traceFlags) checkPredict() error {
	if f.predict == predictLocks && (f.live.On || f.mayHalt() || f.wait) {
		return errors.New("--predict locks cannot be combined with --live, --halt, --halt-at or --wait-for-checker: it looks at the whole run after its end; keep the trace with -o and use antichain check --predict locks")
	}
	return f.predict.check(&f.checkFlags)
}

// admit refuses, before anything is built, what cannot be checked while a program runs.
func (f *traceFlags) admit(s specfile.Specification) error {
	if !f.live.On && !f.mayHalt() {
		return nil
	}
	settings, err := f.settings(report.Style{})
	if err != nil {
		return err
	}
	var shared []string
	for _, file := range s.Parsed {
		for _, name := range file.Shared {
			shared = append(shared, name.Name)
		}
	}
	m := monitor.Monitor{Checker: *settings.Checker(s.Parsed, nil, nil), Postpone: f.live.Postpone || f.mayHalt()}
	return m.Admit(shared)
}

// plan makes the plan for one package. Paths become absolute: go test runs each test
// binary in the directory of its package.
func (f *traceFlags) plan(spec specfile.Specification, build *instrument.Build, p instrument.Package, style report.Style) *exploration.Plan {
	settings, _ := f.settings(style) // they were looked at before
	settings.Style.Source = tracedbuild.Source(build, p)
	plan := &exploration.Plan{Verifies: f.verifies, Plan: execution.Plan{
		Name:          cmp.Or(f.output, p.ImportPath),
		Specification: spec.Absolute(), Builtins: f.watched(), Reorders: f.predict == predictLocks,
		Check: settings, Known: *f.out.Recogniser(settings.Style.Source, terminal.Streams{}), Reports: f.out.Contents(),
		Build: tracedbuild.InfoOf(build, p), Record: recording.Destination{Path: f.output, Sink: f.sink.Config()},
		Steering: execution.Steering{Replay: f.Replay}, Pace: f.Pace, Live: f.live, Halt: f.halt,
		Confirm: f.confirm.Extent(), Schedules: f.schedules,
	}}
	if f.explores() {
		plan.Settle = f.confirmsUnasked(build)
	}
	f.steer(plan, build)
	return plan
}

// watched are the built-in properties that are checked.
func (f *traceFlags) watched() []builtin.Property {
	if f.Replay != "" {
		return findings.Showing(f.builtins)
	}
	return f.builtins
}

// tracedBuild describes the build, in dir.
func (f *traceFlags) tracedBuild(goFlags, packages []string, dir string) *tracedbuild.Config {
	return &tracedbuild.Config{
		GoFlags: goFlags, Packages: packages, Dir: dir, Cache: f.schedules.Cache, Source: f.Source, Functions: f.functions, Otherwise: f.otherwise, Steps: f.steps,
		Halts: f.mayHalt() || f.live.On, Lines: f.halt.At, Builtins: f.builtins, RaceIn: f.raceIn, Exclude: f.exclude, Without: f.without, Admit: f.admit,
	}
}

// remove removes a directory and says so if that fails: it holds values of the program.
func remove(s terminal.Streams, dir *launch.Dir) {
	if err := dir.Remove(); err != nil {
		fmt.Fprintln(s.Err, "antichain: warning:", err)
	}
}
