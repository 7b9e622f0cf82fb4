package exploration

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/unfolding"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// interruptTime is within which an interrupt of the user is known to be one.
const interruptTime = time.Second

// run is one run of the program.
type run struct {
	plan *execution.Plan

	order   unfolding.Run // of --explore all
	results []*tlcheck.Assessment
	ended   *execution.Conclusion
	took    time.Duration

	restsOn       *execution.EarlyFiring // without it the program does not fail
	mayRestOnTime bool                   // it fails, but perhaps not with real time
}

// isOnTime reports whether the failure of a run depends on time, or may.
func (r *run) isOnTime() bool { return r.restsOn != nil || r.mayRestOnTime }

// name is what the run is called in reports; "" if it has no name.
func (r *run) name() string {
	switch pair := r.plan.Reversed; {
	case pair == nil:
		return r.plan.Schedule()
	case r.ended.InVain:
		return "a wait for " + pair.Words()
	default:
		return pair.Words()
	}
}

// makeRun runs the program under the plan of r. It keeps in r the results, how the run ended and
// how long it took.
func (x *exploration) makeRun(ctx context.Context, r *run, s terminal.Streams, out io.Writer) (err error) {
	start := time.Now()
	take := func(result *tlcheck.Assessment) { r.results = append(r.results, result) }
	r.ended, err = r.plan.Collect(ctx, x.binary, x.args, s, out, take, x.merged.attemptOf)
	r.took = time.Since(start)
	return err
}

// attempt makes a run without standard input. What it prints is shown if it finds something new. A
// run that the end of the context has cut off counts only if it violates something.
func (x *exploration) attempt(ctx context.Context, r *run) error {
	stdout, err := newCapture()
	if err != nil {
		return err
	}
	defer stdout.Close()
	stderr, err := newCapture()
	if err != nil {
		return err
	}
	defer stderr.Close()
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer nothing.Close()
	var words bytes.Buffer
	err = x.makeRun(ctx, r, terminal.Streams{In: nothing, Out: stdout, Err: stderr}, &words)
	if err == nil && r.ended.Code == interrupt.ExitCode {
		select { // the program may have heard of the interrupt first
		case <-ctx.Done():
		case <-time.After(interruptTime):
		}
	}
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case err != nil:
		return err
	case ctx.Err() != nil && !r.ended.HasViolation():
		return nil
	case ctx.Err() != nil:
		r.ended.Overdue = true // if it failed, then because it was ended
	}
	if err := x.examine(ctx, r); err != nil {
		return err
	}
	if !x.note(r) {
		return nil
	}
	x.showing.Done()
	defer x.show()
	return errors.Join(copyFrom(x.streams.Out, stdout), copyFrom(x.streams.Err, stderr), copyFrom(x.out, &words))
}

// newCapture returns a file for the output of a program. Programs get files only, which keeps the
// output untouched; see terminal.FileOf.
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

// StopAt says which of several runs of a program is the last.
type StopAt string

const (
	StopAtFirst     StopAt = "first"     // that violates a property or fails
	StopAtConfirmed StopAt = "confirmed" // where a violation happened or was confirmed, or which fails
	StopNever       StopAt = "never"
)

// StopAts are the names of all values.
var StopAts = []string{string(StopAtFirst), string(StopAtConfirmed), string(StopNever)}

// Set takes a name.
func (s *StopAt) Set(name string) error {
	if !slices.Contains(StopAts, name) {
		return errors.New("must be first, confirmed or never")
	}
	*s = StopAt(name)
	return nil
}

func (s *StopAt) String() string { return string(*s) }

// Type is what the flag's value is called.
func (s *StopAt) Type() string { return "WHICH" }

// Stops reports whether a run with these results is the last.
func (s StopAt) Stops(run *execution.Conclusion, results []*tlcheck.Assessment) bool {
	if s == StopNever || !run.IsNotable() {
		return false
	}
	return s == StopAtFirst || run.Fails() || hasHappened(results)
}

// hasHappened reports whether any violation is new and has happened, or was confirmed.
func hasHappened(results []*tlcheck.Assessment) bool {
	return slices.ContainsFunc(results, func(r *tlcheck.Assessment) bool {
		happened := r.How() == builtin.Observed || r.Confirmation.IsConfirmed()
		return r.Verdict == tlcheck.Violated && r.IsNews() && happened
	})
}
