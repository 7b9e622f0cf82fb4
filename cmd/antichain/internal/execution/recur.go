package execution

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/recurrence"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testoutput"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// failures are the failed tests of a test binary. Each is run again alone, to find out whether the
// order made it fail.
type failures struct {
	runner *runner
	began  time.Time
	flag   string           // why none is run again, "" if they are
	output *testoutput.Pipe // nil: it is not known which tests fail
}

// failuresOf has the tests that fail found out in what the test binary prints, nil if nothing lets
// goroutines go first or what the user wants excludes that tests run again.
func (r *runner) failuresOf(run *run) (*failures, error) {
	if !r.Tests.Recur || r.Yields == 0 || run.Stdout == nil {
		return nil, nil
	}
	f := &failures{runner: r, began: time.Now()}
	for _, flag := range []string{"bench", "fuzz"} {
		if flagOf(r.args, flag) != "" {
			f.flag = "-" + flag + " is given"
			return f, nil // their output may go to a terminal
		}
	}
	output, err := testoutput.New(run.Stdout)
	if err != nil {
		return nil, err
	}
	if isSame(run.Stdout, run.Stderr) { // keep the order of what is printed
		run.Stderr = output.File()
	}
	run.Stdout, f.output = output.File(), output
	return f, nil
}

// isSame reports whether two files are the same one.
func isSame(a, b *os.File) bool {
	if a == nil || b == nil {
		return false
	}
	x, err := a.Stat()
	y, failed := b.Stat()
	return err == nil && failed == nil && os.SameFile(x, y)
}

// onStart is called when the test binary runs, or does not.
func (f *failures) onStart() {
	if f != nil && f.output != nil {
		f.output.Started()
	}
}

// passOn passes on what the tests have printed. As go test does, it waits for processes that they
// have left behind only for a while, and then takes that for a failure.
func (f *failures) passOn(ended *launch.Result) {
	if f == nil || f.output == nil || f.output.Wait(f.ioDelay()) {
		return
	}
	f.output = nil // which still takes what comes
	if ended.ExitCode == 0 {
		ended.ExitCode = 1
	}
}

// ioDelay returns the time that go test waits for the output of a test binary that has ended.
func (f *failures) ioDelay() time.Duration {
	const share, least = 10, 5 * time.Second
	if f.runner.Tests.Within == 0 {
		return math.MaxInt64
	}
	return max(f.runner.Tests.Within/share, least)
}

// report runs the failed tests again, and reports the results.
func (f *failures) report(ctx context.Context, c *check.Checker, ended *launch.Result, stderr io.Writer) {
	if f == nil || ended.ExitCode == 0 || ended.Signal != 0 || ended.ExitCode == interrupt.ExitCode {
		return
	}
	tests := f.failedTests()
	switch {
	case f.flag != "":
		f.reportSkip(c, f.flag)
		return
	case len(tests) == 0:
		f.reportSkip(c, "it is not known which one has failed")
		return
	}
	if within := f.runner.Tests.Within; within > 0 {
		var end context.CancelFunc
		ctx, end = context.WithDeadlineCause(ctx, f.began.Add(within), errNoTime)
		defer end()
	}
	for i, test := range tests {
		if i == recurrence.Tests {
			f.reportSkip(c, fmt.Sprintf("only the first %d of %d failed tests are", i, len(tests)))
			return
		}
		err := f.rerunTest(ctx, c, test, stderr)
		switch {
		case err == nil:
		case errors.Is(context.Cause(ctx), errNoTime):
			f.reportSkip(c, test+": "+errNoTime.Error())
			return
		case isInterrupted(ctx):
			f.reportSkip(c, interrupt.Err.Error())
			return
		case ctx.Err() != nil:
			return
		default:
			c.ReportError(err)
			return
		}
	}
}

// errNoTime says why a test is not run again, or not often enough.
var errNoTime = errors.New("the time of -timeout is over")

// failedTests returns the failed tests, as far as they are known.
func (f *failures) failedTests() []string {
	if f.output == nil {
		return nil
	}
	return f.output.Failed()
}

// rerunTest runs a test again, and reports the result.
func (f *failures) rerunTest(ctx context.Context, c *check.Checker, test string, stderr io.Writer) error {
	showing := terminal.Working(stderr, "running "+test+" again")
	defer showing.Done()
	found, err := recurrence.Find(ctx, test, f.runner.Yields, f.runner.runnerOf("^"+test+"$").runQuietly)
	if err != nil {
		return err
	}
	showing.Done()
	if c.JSON {
		return report.WriteObject(c.Stdout, recurring{f.runner.Name, found, ""})
	}
	_, err = fmt.Fprintln(c.Stdout, "antichain:", event.Printable(found.String()))
	return err
}

// reportSkip says why failed tests are not run again.
func (f *failures) reportSkip(c *check.Checker, why string) {
	var err error
	if c.JSON {
		err = report.WriteObject(c.Stdout, recurring{f.runner.Name, nil, why})
	} else {
		_, err = fmt.Fprintln(c.Stdout, "antichain: failed tests are not run again:", event.Printable(why))
	}
	if err != nil {
		c.ReportError(err)
	}
}

// recurring is a line of JSON about a failed test.
type recurring struct {
	Trace      string                 `json:"trace"`
	Recurrence *recurrence.Recurrence `json:"recurrence"`
	Why        string                 `json:"why,omitempty"` // there is none
}

// runQuietly runs the tests once without input, and shows nothing of them. It is a
// recurrence.Runner.
func (r *runner) runQuietly(ctx context.Context, kind recurrence.Kind) (recurrence.Outcome, error) {
	run, err := r.prepareSilent()
	if err != nil {
		return recurrence.Outcome{}, err
	}
	defer run.Stdin.Close()
	timers := make(timers)
	run.limit = kind.Limit
	if run.Yields = kind.Yields; kind.Yields != 0 { // yields need watched operations
		run.timers = timers
	}
	started, err := run.begin(ctx)
	if err != nil {
		return recurrence.Outcome{}, err
	}
	defer started.end()
	ended, err := started.Wait()
	if err != nil {
		return recurrence.Outcome{}, err
	}
	return recurrence.Outcome{Failed: ended.ExitCode != 0, Unended: ended.Signal != 0 && started.wasEnded(), Timed: timers.areOfTest(started.Names())}, nil
}

// timers are the goroutines that have set some. It implements op.Watcher.
type timers map[op.Task]bool

// Op implements op.Watcher.
func (t timers) Op(o *op.Op) {
	if o.Kind == op.Arm || o.Kind == op.Go && o.ByTimer() {
		t[o.Task] = true
	}
}

// areOfTest reports whether one of the goroutines belongs to a test: package testing has a timer,
// too.
func (t timers) areOfTest(names op.Names) bool {
	for task := range t {
		for ; task != op.NoTask; task = names.Task(task).By {
			if names.Task(task).Function == "testing.tRunner" {
				return true
			}
		}
	}
	return false
}

// profiles are the flags of a test binary that name files, which are those of the run that the user
// wants.
var profiles = []string{"cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "testlogfile"}

// runnerOf returns a runner of these tests by themselves, once.
func (r *runner) runnerOf(tests string) *runner {
	return &runner{Plan: r.Plan, binary: r.binary, args: argsFor(r.args, tests)}
}

// argsFor returns the arguments of a test binary for these tests by themselves, once. They write no
// files.
func argsFor(args []string, tests string) []string {
	added := []string{"-test.run=" + tests, "-test.count=1", "-test.bench="}
	for _, name := range profiles {
		if flagOf(args, name) != "" {
			added = append(added, "-test."+name+"=")
		}
	}
	flags := 0
	for flags < len(args) && strings.HasPrefix(args[flags], "-test.") {
		flags++
	}
	return slices.Insert(slices.Clone(args), flags, added...) // the last one of a flag counts
}

// flagOf returns the value of a flag of a test binary, as go test gives it, "" if it has none.
func flagOf(args []string, name string) (value string) {
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "-test."+name+"="); ok {
			value = v
		}
	}
	return value
}
