package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/spf13/pflag"
)

// steerFlags are the flags that say under which schedules a program runs.
type steerFlags struct {
	seed    uint64 // --seed
	explore int    // --explore
}

func (f *steerFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.explore, "explore", 0, "run it again under `N` steered schedules, until one violates a property or fails")
	flags.Uint64Var(&f.seed, "seed", 0, "run it under the steered schedule of this `NUMBER`; with --explore, begin with that")
}

// checkSteering finds mistakes in the flags.
func (f *traceFlags) checkSteering() error {
	switch {
	case f.explore < 0:
		return fmt.Errorf("--explore %d: how many schedules?", f.explore)
	case f.explore > 0 && f.live:
		return errors.New("--explore looks at runs when they are over, and --live does not wait for that: give one of them up, or use --live with the --seed of one schedule")
	case f.explore > 0 && f.output != "":
		return errors.New("--explore has many traces, and -o keeps one: use -o with the --seed of one schedule")
	}
	return nil
}

// possible finds out whether what the flags want of a program can be had with its version of Go.
func (f *traceFlags) possible(b *instrument.Build) error {
	for _, flag := range []struct {
		name   string
		wanted bool
	}{{"--explore", f.explore > 0}, {"--seed", f.seed > 0}, {"--live", f.live}, {"attach", f.wait}} {
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

// A schedule under which the program does not come to an end is given up after a while.
const (
	slowest = 10 // times as long as the longest run before
	atLeast = 10 * time.Second
)

// errNoTimeLeft is the cause that ends an exploration before go test would kill the process.
var errNoTimeLeft = errors.New("the time of -timeout was over")

// withinTimeout returns how long a test binary may run that has such arguments, 0 if for any time.
func withinTimeout(args []string) time.Duration {
	for _, a := range args {
		if d, ok := strings.CutPrefix(a, "-test.timeout="); ok {
			limit, _ := time.ParseDuration(d) // what is no duration the test binary refuses
			return limit
		}
	}
	return 0
}

// interruptTime is within which an interrupt of the user is known to be one.
const interruptTime = time.Second

// exploration runs a traced binary as it is, and then under steered schedules until one of them is
// worth a report. What the other runs print is not shown.
type exploration struct {
	plan   *plan
	binary string
	args   []string

	longest  time.Duration // run so far
	unended  int           // runs that were given up
	unknown  int           // runs without a verdict
	explored int
}

// run runs a traced binary as the plan says, checks what was recorded and reports on out.
func (p *plan) run(ctx context.Context, binary string, args []string, s terminal.Streams, out io.Writer) (*conclusion, error) {
	if p.Explore == 0 {
		return p.trace(ctx, binary, args, s, out)
	}
	x := &exploration{plan: p, binary: binary, args: args}
	start := time.Now()
	plain := *p
	plain.Seed = 0
	ended, err := plain.trace(ctx, binary, args, s, out) // an interrupt is the program's, as without --explore
	if err != nil || ended.notable() {
		return ended, err
	}
	x.longest = time.Since(start)
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if p.Within > 0 {
		var end context.CancelFunc
		ctx, end = context.WithDeadlineCause(ctx, start.Add(p.Within), errNoTimeLeft)
		defer end()
	}
	found, err := x.explore(ctx, s, out)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(out, "antichain:", x.summary(found, context.Cause(ctx)))
	return cmp.Or(found, ended), nil
}

// notable reports whether a run is worth a report.
func (c *conclusion) notable() bool {
	return c.violates() || c.Code != 0 || c.Failed || c.Bug
}

// violates reports whether a run violates a property.
func (c *conclusion) violates() bool {
	return c.Violated || len(c.Builtins.Violated) > 0
}

// explore runs the program under steered schedules until one is notable, which it reports. It
// returns nil if none is.
func (x *exploration) explore(ctx context.Context, s terminal.Streams, out io.Writer) (*conclusion, error) {
	showing := terminal.Working(s.Err, "running under steered schedules")
	defer showing.Done()
	for x.explored < x.plan.Explore && ctx.Err() == nil {
		showing.Doing(fmt.Sprintf("running under steered schedule %d of %d", x.explored+1, x.plan.Explore))
		found, err := x.attempt(ctx, s, out, showing)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// attempt runs the program under the next schedule.
func (x *exploration) attempt(ctx context.Context, s terminal.Streams, out io.Writer, showing *terminal.Progress) (*conclusion, error) {
	p := *x.plan
	p.Seed = max(x.plan.Seed, 1) + uint64(x.explored)
	p.Again = withSeed(x.plan.Again, p.Seed)
	p.Limit = atLeast + slowest*x.longest
	stdout, err := newCapture()
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := newCapture()
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer nothing.Close()
	var words bytes.Buffer
	start := time.Now()
	ended, err := p.trace(ctx, x.binary, x.args, terminal.Streams{In: nothing, Out: stdout, Err: stderr}, &words)
	if err == nil && ended.Code == interrupt.ExitCode {
		select { // the program may have heard of the interrupt first
		case <-ctx.Done():
		case <-time.After(interruptTime):
		}
	}
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, nil
	case err != nil:
		return nil, err
	case ctx.Err() != nil && !ended.violates():
		return nil, nil // if it failed, then because it was ended
	}
	x.explored++
	x.longest = max(x.longest, time.Since(start))
	switch {
	case ended.Overdue:
		x.unended++
		ended.Code = 0 // it is ours
	case ended.Unknown || ended.Builtins.IsUnknown():
		x.unknown++
	}
	if !ended.notable() {
		return nil, nil
	}
	showing.Done()
	return ended, errors.Join(copyFrom(s.Out, stdout), copyFrom(s.Err, stderr), copyFrom(out, &words))
}

// newCapture returns a file for what a program prints. Programs get files only, so that what passes
// through is untouched; see fileOf.
func newCapture() (*os.File, error) {
	f, err := os.CreateTemp("", "antichain-output-") // mode 0600
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// copyFrom shows what was captured.
func copyFrom(to io.Writer, from io.Reader) error {
	if f, ok := from.(*os.File); ok {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	_, err := io.Copy(to, from)
	return err
}

// summary says how the exploration ended, and what ended it if not all schedules have been tried.
func (x *exploration) summary(found *conclusion, cause error) string {
	text := fmt.Sprintf("of %s this is number %d: --seed %d shows it again", report.Plural(x.plan.Explore, "steered schedule"),
		x.explored, max(x.plan.Seed, 1)+uint64(x.explored)-1)
	if found == nil {
		text = fmt.Sprintf("%s: nothing else was found", report.Plural(x.explored, "steered schedule"))
		switch {
		case x.explored == x.plan.Explore:
		case errors.Is(cause, errNoTimeLeft):
			text += "; then " + errNoTimeLeft.Error()
		default:
			text += "; then it was interrupted"
		}
	}
	if x.unended > 0 {
		text += fmt.Sprintf("; the program did not end under %d", x.unended)
	}
	if x.unknown > 0 {
		text += fmt.Sprintf("; %d have no verdict", x.unknown)
	}
	return text
}

// withSeed inserts a seed into a command that begins with antichain and a verb.
func withSeed(again string, seed uint64) string {
	words := strings.SplitN(again, " ", 3)
	rest := append([]string{"--seed", strconv.FormatUint(seed, 10)}, words[2:]...)
	return strings.Join(append(words[:2:2], rest...), " ")
}
