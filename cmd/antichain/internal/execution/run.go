package execution

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reversal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// runner runs a traced binary as its plan says: to check it, to make a prediction happen, or to see
// whether a test fails again.
type runner struct {
	*Plan
	binary string
	args   []string

	// tried is as for Collect; nil if nothing was tried.
	tried func(*tlcheck.Result) (*tlcheck.Confirmation, bool)
}

// run is one run of a traced binary. prepare makes it and begin starts it, whatever its purpose. In
// between, its fields are set for the purpose.
type run struct {
	launch.Config
	watchers
	hang    *hang.Watch // nil, or says that goroutines wait for ever while the program runs
	checker *check.Checker
	limit   time.Duration // after which it is ended; 0 is never
	start   func(context.Context, launch.Config) (*launch.Run, error)
}

// prepare makes a run for that checker. The trace is full if it is kept or drawn and nothing is
// checked, and sparse if that is enough for what is checked.
func (r *runner) prepare(s terminal.Streams, c *check.Checker) (*run, error) {
	table, err := instrument.TableOf(r.binary)
	if err != nil {
		return nil, err
	}
	// A binary without a specification does not know.
	table.Instrumented.Untraced, table.Instrumented.Unwatched = r.Build.Untraced, r.Build.Unwatched
	return &run{checker: c, start: launch.Start, Config: launch.Config{
		Binary: r.binary, Args: r.args, Env: r.Record.Sink.ProgramEnv(),
		Stdin: terminal.FileOf(s.In), Stdout: terminal.FileOf(s.Out), Stderr: terminal.FileOf(s.Err),
		Table: table, Root: r.Build.Root, Hidden: r.Build.Hidden,
		Seed: r.Seed, Strategy: r.Strategy, Early: r.mostEarly(), WithoutEarly: r.WithoutEarly,
		Yields: r.Yields, Linger: r.Linger, Loads: r.wantsLoads(),
		Full:   len(c.Properties) == 0 && (r.Record.IsKept() || r.Reports.Draws),
		Sparse: !r.Reports.Draws && !r.Reorders && c.SparseSuffices(process.HeaderOf(table)),
	}}, nil
}

// wantsLoads reports whether each load of an atomic variable is wanted in its place: where pairs of
// operations may be reversed, or other orders found. It is the same for the first run and for those
// that repeat it, which count operations.
func (p *Plan) wantsLoads() bool {
	tries := p.Confirm.Attempts > 0 && !p.Confirm.Doubtful
	return tries || p.Reversals > 0 || p.Reversed != nil || p.Prefix != nil || p.Operations != nil
}

// prepareSilent prepares a run that reads no input and shows nothing. The caller closes Stdin of
// the run.
func (r *runner) prepareSilent() (*run, error) {
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	streams := terminal.Streams{In: nothing, Out: nothing, Err: nothing}
	prepared, err := r.prepare(streams, r.Checker(io.Discard))
	if err != nil {
		nothing.Close()
	}
	return prepared, err
}

// checkBuiltins has built-in properties checked until the memory for that is used up. If the run is
// recorded, so are its operations.
func (r *run) checkBuiltins(memory context.Context, on []builtin.Property, recorded bool) {
	unwatched := r.Table.Instrumented.Unwatched
	r.builtins = findings.NewWatch(memory, on, r.checker.Functions, unwatched)
	r.builtins.Configure(&r.Config, recorded, r.checker.Style.Source)
}

// started is a run that has been started.
type started struct {
	*launch.Run
	at      time.Time
	running context.Context
	end     context.CancelFunc // ends the program; it has to be called
}

// wasEnded reports whether end, the limit or the context has ended the program.
func (s *started) wasEnded() bool { return s.running.Err() != nil }

// begin starts the program.
func (r *run) begin(ctx context.Context) (*started, error) {
	s := &started{at: time.Now()}
	if r.limit == 0 {
		s.running, s.end = context.WithCancel(ctx)
	} else {
		s.running, s.end = context.WithTimeout(ctx, r.limit)
	}
	r.Watch = r.watchers.all()
	r.hang.Configure(&r.Config)
	var err error
	if s.Run, err = r.start(s.running, r.Config); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// watchers receive the operations of a run, each operation in the order of the fields. One that is
// nil takes no part.
type watchers struct {
	bound    *replayBound      // counts operations; first, since it must not be late
	builtins *findings.Watch   // checks built-in properties
	visits   *schedule.Visits  // remembers where goroutines were, for schedules of what was found
	timers   timers            // remembers which goroutines have set timers
	last     lastOperations    // remembers what goroutines did last
	pairs    *reversal.Watcher // collects pairs of operations that can come the other way round
	others   op.Watcher        // that of the plan

	// The program reports its operations, even if all fields above are nil: where goroutines wait
	// is a step of a schedule, and where critical sections are shows which orders they can have.
	reported bool
}

// all returns the watchers as one, nil if no operations are wanted.
func (w *watchers) all() op.Watcher {
	var all watcherList
	if w.bound != nil {
		all = append(all, w.bound)
	}
	if w.builtins != nil {
		all = append(all, w.builtins)
	}
	if w.visits != nil {
		all = append(all, w.visits)
	}
	if w.timers != nil {
		all = append(all, w.timers)
	}
	if w.last != nil {
		all = append(all, w.last)
	}
	if w.pairs != nil {
		all = append(all, w.pairs)
	}
	if w.others != nil {
		all = append(all, w.others)
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		return all
	case w.reported:
		return op.Discard
	}
	return nil
}

// watcherList passes each operation on to all of its watchers, in their order.
type watcherList []op.Watcher

// Op implements op.Watcher.
func (l watcherList) Op(o *op.Op) {
	for _, w := range l {
		w.Op(o)
	}
}

// Remembers implements op.Forgetter.
func (l watcherList) Remembers(see func(op.Task)) bool {
	for _, w := range l {
		if !op.Remembers(w, see) {
			return false
		}
	}
	return true
}

// Forget implements op.Forgetter.
func (l watcherList) Forget(s *clock.Sweep) {
	for _, w := range l {
		op.Forget(w, s)
	}
}

// RunWaiting runs a program that waits for a checker, which is another process, and passes its
// exit code on. attach returns the command that starts the checker of a process.
func RunWaiting(
	ctx context.Context, s terminal.Streams, binary string, args []string, attach func(pid int) string,
) error {
	run, err := launch.StartWaiting(ctx, launch.Config{
		Binary: binary, Args: args,
		Stdin: terminal.FileOf(s.In), Stdout: terminal.FileOf(s.Out), Stderr: terminal.FileOf(s.Err),
	})
	if err != nil {
		return err
	}
	if waitUntilAttachable(run) {
		fmt.Fprintf(s.Err, "antichain: to check it, type in another terminal: %s\n", attach(run.PID()))
	}
	ended, err := run.Wait()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "antichain: exit code %d is the program's own\n", ended.ExitCode)
	if ended.ExitCode == exit.Holds {
		return nil
	}
	return exit.Code(ended.ExitCode)
}

// waitUntilAttachable returns when a program waits for a checker; false if it ends before.
func waitUntilAttachable(run *launch.Run) bool {
	for {
		if _, err := control.Find(run.PID()); err == nil {
			return true
		}
		select {
		case <-run.Exited():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}
