package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/confirmation"
	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/spf13/pflag"
)

// steerFlags are the flags that say under which schedules a program runs.
type steerFlags struct {
	seed        uint64      // --seed
	explore     int         // --explore
	confirm     confirmFlag // --confirm
	scheduleDir string      // --schedule-dir
	replay      string      // --replay
}

func (f *steerFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.explore, "explore", 0, "run the program again under `N` steered schedules, until one violates a property or fails")
	flags.Var(&f.confirm, "confirm", fmt.Sprintf("run the program again, at most `N` times (%d if only --confirm is given) for each violation that is only predicted, and steer it there", confirmation.Wanted.Attempts))
	flags.Lookup("confirm").NoOptDefVal = strconv.Itoa(confirmation.Wanted.Attempts)
	flags.StringVar(&f.scheduleDir, "schedule-dir", "", "with --confirm, keep schedules in this `DIRECTORY`; default one below the user's cache")
	flags.StringVar(&f.replay, "replay", "", "have the program keep the schedule in this `FILE`, which --confirm has made")
	flags.Uint64Var(&f.seed, "seed", 0, "run the program under the steered schedule with this `NUMBER`; with --explore, begin with it")
}

// confirmFlag is how often a program runs again to confirm a finding.
type confirmFlag struct {
	given    bool
	attempts int
}

// Set implements pflag.Value.
func (f *confirmFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return errors.New("it must be a number")
	case n < 0:
		return errors.New("it must not be negative")
	}
	*f = confirmFlag{given: true, attempts: n}
	return nil
}

// String implements pflag.Value.
func (f *confirmFlag) String() string { return strconv.Itoa(f.attempts) }

// Type implements pflag.Value.
func (f *confirmFlag) Type() string { return "attempts" }

// extent returns which predictions are confirmed.
func (f *confirmFlag) extent() confirmation.Extent {
	wanted := confirmation.Wanted
	wanted.Attempts = f.attempts
	return wanted
}

// confirmsTests returns which predictions of tests are confirmed: what is doubtful also if nobody asks for it, where programs can be
// steered and nothing else says which schedules they keep.
func (f *traceFlags) confirmsTests(b *instrument.Build) confirmation.Extent {
	if f.confirm.given || f.live.On || f.replay != "" || f.explore > 0 || f.seed > 0 || b.Allows("--confirm") != nil {
		return f.confirm.extent()
	}
	return confirmation.Usual
}

// checkSteering finds mistakes in the flags.
func (f *traceFlags) checkSteering() error {
	switch {
	case f.explore < 0:
		return fmt.Errorf("--explore %d: must not be negative", f.explore)
	case f.confirm.attempts > 0 && f.live.On:
		return errors.New("--live cannot be combined with --confirm, which runs the program again after its end")
	case f.replay != "" && (f.explore > 0 || f.seed > 0 || f.live.On):
		return errors.New("--replay cannot be combined with --explore, --seed or --live: the file says which schedule it is")
	case f.explore > 0 && f.live.On:
		return errors.New("--live cannot be combined with --explore, which checks each run after its end: use --live with the --seed of one schedule")
	case f.explore > 0 && f.output != "":
		return errors.New("-o cannot be combined with --explore: it keeps a single trace; use -o with the --seed of one schedule")
	}
	return nil
}

// loadReplay finds mistakes in the schedule file before anything is built. Its path becomes absolute: go test runs test binaries
// elsewhere.
func (f *traceFlags) loadReplay() error {
	if f.replay == "" {
		return nil
	}
	_, err := execution.LoadSchedule(f.replay)
	if err != nil {
		return err
	}
	f.replay, err = filepath.Abs(f.replay)
	return err
}

// bareNumber says what is wrong if what follows a flag with an optional value is a number: that is taken for a package.
func bareNumber(flag string, given bool, rest []string) error {
	if !given || len(rest) == 0 {
		return nil
	}
	if _, err := strconv.Atoi(rest[0]); err != nil {
		return nil
	}
	return fmt.Errorf("%s is no package: if it belongs to %s, write %s=%s", rest[0], flag, flag, rest[0])
}

// possible finds out whether what the flags want of a program can be had with its version of Go.
func (f *traceFlags) possible(b *instrument.Build) error {
	for _, flag := range []struct {
		name   string
		wanted bool
	}{{"--explore", f.explore > 0}, {"--seed", f.seed > 0}, {"--confirm", f.confirm.attempts > 0}, {"replay", f.replay != ""}, {"--live", f.live.On}, {"attach", f.wait}} {
		if err := b.Allows(flag.name); flag.wanted && err != nil {
			return err
		}
	}
	return nil
}

// again returns the command line that a run is to be repeated with: an exploration adds the seed, and what was sent
// elsewhere is not sent once more. The flags without, which have values, are left out, too.
func again(f *traceFlags, args instrument.Args, without ...string) instrument.Args {
	valued := map[string]bool{} // the flags that are left out, and whether a value follows
	if f.explore > 0 {
		valued["--explore"], valued["--seed"] = true, true
	}
	valued["--confirm"], valued["--schedule-dir"], valued["--replay"] = false, true, true
	f.topicFlags.VisitAll(func(flag *pflag.Flag) { valued["--"+flag.Name] = flag.NoOptDefVal == "" })
	valued["--run-id"] = true
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
