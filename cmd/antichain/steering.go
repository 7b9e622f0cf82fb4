package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/spf13/pflag"
)

// steerFlags are the flags that say under which schedules a program runs.
type steerFlags struct {
	seed    uint64 // --seed
	explore int    // --explore
}

func (f *steerFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.explore, "explore", 0, "run the program again under `N` steered schedules, until one violates a property or fails")
	flags.Uint64Var(&f.seed, "seed", 0, "run the program under the steered schedule with this `NUMBER`; with --explore, begin with it")
}

// checkSteering finds mistakes in the flags.
func (f *traceFlags) checkSteering() error {
	switch {
	case f.explore < 0:
		return fmt.Errorf("--explore %d: must not be negative", f.explore)
	case f.explore > 0 && f.live.On:
		return errors.New("--live cannot be combined with --explore, which checks each run after its end: use --live with the --seed of one schedule")
	case f.explore > 0 && f.output != "":
		return errors.New("-o cannot be combined with --explore: it keeps a single trace; use -o with the --seed of one schedule")
	}
	return nil
}

// possible finds out whether what the flags want of a program can be had with its version of Go.
func (f *traceFlags) possible(b *instrument.Build) error {
	for _, flag := range []struct {
		name   string
		wanted bool
	}{{"--explore", f.explore > 0}, {"--seed", f.seed > 0}, {"--live", f.live.On}, {"attach", f.wait}} {
		if err := b.Allows(flag.name); flag.wanted && err != nil {
			return err
		}
	}
	return nil
}

// again returns the command line that a run is to be repeated with: an exploration adds the seed, and what was sent
// elsewhere is not sent once more.
func again(f *traceFlags, args instrument.Args) instrument.Args {
	valued := map[string]bool{} // the flags that are left out, and whether a value follows
	if f.explore > 0 {
		valued["--explore"], valued["--seed"] = true, true
	}
	f.topicFlags.VisitAll(func(flag *pflag.Flag) { valued["--"+flag.Name] = flag.NoOptDefVal == "" })
	valued["--run-id"] = true
	var own []string
	for i := 0; i < len(args.Own); i++ {
		name, _, joined := strings.Cut(args.Own[i], "=")
		if follows, unwanted := valued[name]; !unwanted {
			own = append(own, args.Own[i])
		} else if follows && !joined {
			i++
		}
	}
	args.Own = own
	return args
}
