// Package exploration runs a traced program repeatedly under different schedules.
//
// The first run has no steered schedule. The exploration ends when a run violates a property or fails.
package exploration

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
)

// A schedule under which the program does not come to an end is given up after a while.
const (
	slowest = 10 // times as long as the longest run before
	atLeast = 10 * time.Second
)

// errNoTimeLeft is the cause that ends an exploration before go test would kill the process.
var errNoTimeLeft = errors.New("the time of -timeout was over")

// interruptTime is within which an interrupt of the user is known to be one.
const interruptTime = time.Second

// exploration runs a traced binary as it is, and then under steered schedules until one of them is
// worth a report. What the other runs print is not shown.
type exploration struct {
	plan   *execution.Plan
	binary string
	args   []string

	longest  time.Duration // run so far
	unended  int           // runs that were given up
	unknown  int           // runs without a verdict
	explored int
}

// Run runs a traced binary as the plan says, under several schedules if it asks for these, checks what was recorded
// and reports on out.
func Run(ctx context.Context, p *execution.Plan, binary string, args []string, s terminal.Streams, out io.Writer) (*execution.Conclusion, error) {
	if p.Explore == 0 {
		return p.Trace(ctx, binary, args, s, out)
	}
	x := &exploration{plan: p, binary: binary, args: args}
	start := time.Now()
	plain := *p
	plain.Seed = 0
	ended, err := plain.Trace(ctx, binary, args, s, out) // an interrupt is the program's, as without --explore
	if err != nil || ended.IsNotable() {
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

// explore runs the program under steered schedules until one is notable, which it reports. It
// returns nil if none is.
func (x *exploration) explore(ctx context.Context, s terminal.Streams, out io.Writer) (*execution.Conclusion, error) {
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
func (x *exploration) attempt(ctx context.Context, s terminal.Streams, out io.Writer, showing *terminal.Progress) (*execution.Conclusion, error) {
	p := *x.plan
	p.Seed = max(x.plan.Seed, 1) + uint64(x.explored)
	p.Again = rerun.With(x.plan.Again, "--seed", strconv.FormatUint(p.Seed, 10))
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
	ended, err := p.Trace(ctx, x.binary, x.args, terminal.Streams{In: nothing, Out: stdout, Err: stderr}, &words)
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
	case ctx.Err() != nil && !ended.HasViolation():
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
	if !ended.IsNotable() {
		return nil, nil
	}
	showing.Done()
	return ended, errors.Join(copyFrom(s.Out, stdout), copyFrom(s.Err, stderr), copyFrom(out, &words))
}

// newCapture returns a file for what a program prints. Programs get files only, so that what passes
// through is untouched; see terminal.FileOf.
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
func (x *exploration) summary(found *execution.Conclusion, cause error) string {
	text := fmt.Sprintf("of %s this is number %d: --seed %d shows it again", wording.Plural(x.plan.Explore, "steered schedule"),
		x.explored, max(x.plan.Seed, 1)+uint64(x.explored)-1)
	if found == nil {
		text = fmt.Sprintf("%s: nothing else was found", wording.Plural(x.explored, "steered schedule"))
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
