package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/schedulefile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
	"github.com/spf13/pflag"
)

// steerFlags are the flags that say under which schedules a program runs.
type steerFlags struct {
	execution.Steering                    // --seed, --yields and --replay
	exploration.Extent                    // --runs, --explore, --for and --stop-at
	drawn              uint64             // instead of Yields, if nothing is said; see steer
	confirm            confirmation.Flag  // --confirm
	schedules          schedulefile.Place // --schedule-dir and --cache-dir
	halt               execution.Halting  // --halt, --hold-for, and the lines of haltAt
	haltAt             []string           // --halt-at
	verifies           string             // the file of the schedule that verify is given
}

// defaultHold is the time that goroutines are held at lines by default.
const defaultHold = 10 * time.Second

// mayHalt reports whether the program is to be halted somewhere, and not at a violation.
func (f *steerFlags) mayHalt() bool { return f.halt.BehindSchedule || len(f.haltAt) > 0 }

func (f *steerFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.Runs, "runs", 1, "run the program `N` times, in which goroutines yield to others at different places")
	flags.Var(exploration.Times{Extent: &f.Extent}, "explore",
		"run the program again `N` times, with reversed pairs of operations and steered schedules, or all: once for each partial order of its operations")
	flags.DurationVar(&f.For, "for", 0, "run the program again like --explore, for this `DURATION` and at most as often")
	flags.Var(&f.StopAt, "stop-at", "stop after the first run that violates a property or fails (first), after the first in which a violation happens or is confirmed, or that fails (confirmed), or make all runs (never), by `WHICH`; default confirmed with --explore or --for, else never")
	f.confirm.Register(flags)
	flags.StringVar(&f.schedules.Dir, "schedule-dir", "", "keep schedules of --confirm and --explore in this `DIRECTORY`; default in the cache")
	flags.StringVar(&f.Replay, "replay", "", "make the program follow the schedule in this `FILE`, which --confirm or --explore has written")
	flags.Uint64Var(&f.Yields, "yields", 0, "let goroutines yield to others at the places that this `NUMBER` determines, as a report says; with --runs, begin with it")
	flags.BoolVar(&f.halt.BehindSchedule, "halt", false, "halt the program where the schedule of --replay leads, to inspect it")
	flags.StringSliceVar(&f.haltAt, "halt-at", nil, "halt the program when a goroutine is at each of these `FILE:LINE`s at the same time, separated by commas: goroutines that reach one are held")
	flags.DurationVar(&f.halt.HoldFor, "hold-for", defaultHold, "with --halt-at, release all goroutines when one has been held for this `DURATION`")
	flags.Var(&f.Strategy, "strategy",
		"choose the orders of --explore, --for and --seed by this `STRATEGY`: "+strategy.Names)
	flags.Uint64Var(&f.Seed, "seed", 0, "run the program under the steered schedule with this `NUMBER`; with --explore, begin with it")
}

// confirmsUnasked returns which predictions are confirmed in tests and at the end of an
// exploration: without --confirm, the doubtful ones.
func (f *traceFlags) confirmsUnasked(b *instrument.Build) confirmation.Extent {
	if f.confirm.Given || f.live.On || f.mayHalt() || f.Replay != "" || f.Seed > 0 && !f.explores() || b.Allows("--confirm") != nil {
		return f.confirm.Extent()
	}
	return confirmation.Usual
}

// recurs reports whether tests that fail are run again: where nothing else says how often tests
// run, and under which schedules.
func (f *traceFlags) recurs() bool {
	turnedOff := f.confirm.Given && f.confirm.Attempts == 0
	return !turnedOff && !f.live.On && !f.mayHalt() && f.Replay == "" && f.Seed == 0 && !f.runsSeveral()
}

// checkSteering finds mistakes in the flags.
func (f *traceFlags) checkSteering() error {
	switch {
	case f.Explore < 0:
		return fmt.Errorf("--explore %d: must not be negative", f.Explore)
	case f.Extent.All && f.Strategy.Rule != strategy.Auto && f.Strategy.Rule != strategy.All:
		return fmt.Errorf("--explore all is a strategy of its own: leave out --strategy %s, "+
			"or say how many runs there are", f.Strategy)
	case f.choosesAll() && (f.Seed > 0 || f.Yields > 0 || f.Runs > 1):
		return errors.New("--explore all and --strategy all cannot be combined with --seed, --yields or --runs: " +
			"it chooses the order of each run")
	case f.Strategy.Rule != strategy.Auto && !f.explores() && f.Seed == 0:
		return errors.New("--strategy needs --explore, --for or --seed: there is only one run, which nothing steers")
	case (f.Strategy.Rule == strategy.Pairs || f.Strategy.Rule == strategy.All) && !f.explores():
		return fmt.Errorf("--strategy %s needs --explore or --for: "+
			"it chooses the order of a run by what others have shown", f.Strategy)
	case f.Runs < 1:
		return fmt.Errorf("--runs %d: must be at least 1", f.Runs)
	case f.For < 0:
		return fmt.Errorf("--for %v: must not be negative", f.For)
	case f.StopAt != "" && !f.runsSeveral():
		return errors.New("--stop-at needs --explore, --for or --runs: there is only one run")
	case f.confirm.Attempts > 0 && f.live.On:
		return errors.New("--live cannot be combined with --confirm, which runs the program again after its end")
	case f.Replay != "" && (f.explores() || f.Seed > 0 || f.live.On):
		return errors.New("--replay cannot be combined with --explore, --for, --seed or --live: the file says which schedule it is")
	case f.Seed > 0 && f.Runs > 1 && !f.explores():
		return errors.New("--seed cannot be combined with --runs, whose schedules are not steered: use --explore")
	case f.Seed > 0 && f.Yields > 0 && !f.explores():
		return errors.New("--yields cannot be combined with --seed, which decides the whole schedule")
	case f.Yields > 0 && len(f.builtins) == 0:
		return errors.New("--yields cannot be combined with --builtin none: goroutines yield to others while built-in properties are checked")
	case f.runsSeveral() && f.live.On:
		return errors.New("--live cannot be combined with --explore, --for or --runs, which check each run after its end: use --live with the --seed of one schedule")
	case f.runsSeveral() && f.output != "":
		return errors.New("-o cannot be combined with --explore, --for or --runs: it keeps a single trace; use -o with the --seed of one schedule")
	case f.halt.BehindSchedule && f.Replay == "":
		return errors.New("--halt needs a schedule that the program keeps: antichain replay FILE, or --replay FILE")
	case f.mayHalt() && (f.live.On || f.confirm.Attempts > 0 || f.runsSeveral() || f.Seed > 0):
		return errors.New("--halt and --halt-at cannot be combined with --live, --confirm, --explore, --for, --runs or --seed: the program runs once, and is halted only there")
	case f.halt.BehindSchedule && len(f.haltAt) > 0:
		return errors.New("--halt cannot be combined with --halt-at: choose where the program is halted")
	case f.haltAt != nil && len(f.haltAt) == 0:
		return errors.New("--halt-at names no line: write FILE:LINE, for example main.go:12")
	case len(f.haltAt) == 0 && f.halt.HoldFor != defaultHold:
		return errors.New("--hold-for needs --halt-at, which says where goroutines are held")
	case f.halt.HoldFor <= 0:
		return fmt.Errorf("--hold-for %v: must be positive", f.halt.HoldFor)
	case len(f.haltAt) > ring.MaxLines:
		return fmt.Errorf("--halt-at takes at most %d lines", ring.MaxLines)
	}
	return nil
}

// explores reports whether the program runs in other orders, too.
func (f *steerFlags) explores() bool { return f.Explore > 0 || f.Extent.All || f.For > 0 }

// choosesAll reports whether there is to be a run for each partial order.
func (f *steerFlags) choosesAll() bool { return f.Extent.All || f.Strategy.Rule == strategy.All }

// runsSeveral reports whether the program runs more than once.
func (f *steerFlags) runsSeveral() bool { return f.explores() || f.Runs > 1 }

// steer says in a plan under which schedules the program runs.
func (f *traceFlags) steer(p *exploration.Plan, build *instrument.Build) {
	p.Extent, p.Seed, p.Strategy = f.Extent, f.Seed, f.Strategy
	p.Extent.All = f.choosesAll()
	if f.For > 0 && f.Explore == 0 && !p.Extent.All {
		p.Explore = math.MaxInt
	}
	if p.StopAt == "" {
		p.StopAt = exploration.StopNever
		if f.explores() {
			p.StopAt = exploration.StopAtConfirmed
		}
	}
	if len(f.builtins) > 0 && !p.Extent.All && (f.Seed == 0 || f.explores()) && build.Allows("--yields") == nil {
		if f.drawn == 0 {
			f.drawn = cmp.Or(f.Yields, 1+rand.Uint64N(mostYields))
		}
		p.Yields = f.drawn
	}
}

// mostYields is the highest number that is drawn, which is short enough to be typed.
const mostYields = 99_999

// scope returns what is checked, for the last lines of a report.
func (f *traceFlags) scope(build *instrument.Build, specs ...specfile.Specification) execution.Scope {
	s := execution.Scope{Builtins: f.builtins, Specifications: specs, Silent: build.Silent, CanExplore: !f.explores() && build.Allows("--explore") == nil}
	if !f.runsSeveral() && f.Replay == "" { // its file repeats a schedule
		s.Yields = f.drawn
	}
	return s
}

// findSchedules finds mistakes in the schedule file before anything is built. Paths become
// absolute: go test runs test binaries elsewhere.
func (f *traceFlags) findSchedules() (err error) {
	for _, dir := range []*string{&f.schedules.Dir, &f.schedules.Cache} {
		if *dir == "" {
			continue
		}
		if *dir, err = filepath.Abs(*dir); err != nil {
			return err
		}
	}
	if f.halt.At, err = linesOf(f.haltAt); err != nil || f.Replay == "" {
		return err
	}
	s, err := execution.LoadSchedule(f.Replay)
	switch {
	case err != nil:
		return err
	case f.mayHalt() && s.Keep.Seed != 0:
		return fmt.Errorf("%s is the schedule of a seed, which leads to no place to halt at: leave out --halt and --halt-at", f.Replay)
	}
	f.Replay, err = filepath.Abs(f.Replay)
	return err
}

// linesOf returns the lines that texts of the form FILE:LINE mean.
func linesOf(texts []string) ([]rewrite.Line, error) {
	var lines []rewrite.Line
	for _, text := range texts {
		i := strings.LastIndexByte(text, ':')
		n, err := strconv.Atoi(text[i+1:])
		if i <= 0 || err != nil || n <= 0 {
			return nil, fmt.Errorf("--halt-at %q: write FILE:LINE, for example main.go:12", text)
		}
		l := rewrite.Line{File: text[:i], Line: n, Text: text}
		if path, err := filepath.Abs(l.File); err == nil && input.IsRegular(path) {
			l.File = path
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// bareNumber says what is wrong if what follows a flag with an optional value is a number: that is
// taken for a package.
func bareNumber(flag string, given bool, rest []string) error {
	if !given || len(rest) == 0 {
		return nil
	}
	if _, err := strconv.Atoi(rest[0]); err != nil {
		return nil
	}
	return fmt.Errorf("%s is no package: if it belongs to %s, write %s=%s", rest[0], flag, flag, rest[0])
}

// possible finds out whether what the flags want of a program can be had with its version of Go,
// and with its specifications.
func (f *traceFlags) possible(b *instrument.Build, specs ...specfile.Specification) error {
	for _, flag := range []struct {
		name   string
		wanted bool
	}{{"--explore", f.explores()}, {"--yields", f.Yields > 0}, {"--seed", f.Seed > 0}, {"--confirm", f.confirm.Attempts > 0}, {"replay", f.Replay != ""}, {"--live", f.live.On || f.mayHalt()}, {"attach", f.wait}} {
		if err := b.Allows(flag.name); flag.wanted && err != nil {
			return err
		}
	}
	return f.builtins.Suits(specfile.FunctionsOfAll(specs))
}

// again returns the command line that a run is to be repeated with, but for its seed, which is
// added later. What was sent elsewhere is not sent once more. The flags without, which have values,
// are left out, too.
func again(f *traceFlags, args instrument.Args, without ...string) instrument.Args {
	valued := map[string]bool{} // the flags that are left out, and whether a value follows
	for _, name := range []string{"--runs", "--explore", "--for", "--stop-at", "--seed", "--strategy", "--yields"} {
		valued[name] = true
	}
	valued["--confirm"], valued["--schedule-dir"], valued["--replay"], valued["--halt"] = false, true, true, false
	valued["--halt-at"], valued["--hold-for"] = true, true
	f.sink.Topic.VisitAll(func(flag *pflag.Flag) { valued["--"+flag.Name] = flag.NoOptDefVal == "" })
	valued["--run-id"] = true
	valued["--report"], valued["--write-baseline"] = true, true
	for _, name := range without {
		valued[name] = true
	}
	var own []string
	for i := 0; i < len(args.Own); i++ {
		name, _, joined := strings.Cut(args.Own[i], "=")
		if len(name) > 2 && !strings.HasPrefix(name, "--") { // -oFILE
			name, joined = name[:2], true
		}
		if follows, unwanted := valued[name]; !unwanted {
			own = append(own, args.Own[i])
		} else if follows && !joined {
			i++
		}
	}
	args.Own = own
	return args
}
