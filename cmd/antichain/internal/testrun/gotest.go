package testrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/reports"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/internal/tracer/control"
)

// GoTest is go test with binaries that are checked.
type GoTest struct {
	Streams  terminal.Streams
	Exchange string // directory that is made
	// Command returns the go test that runs its binaries with this process's verb for that, and
	// ends with the context.
	Command func(context.Context) (*exec.Cmd, error)
	// Events, if it is not nil, takes what go test prints on standard output: the command has
	// -json.
	Events *testevents.Stream
	// Report prints the results of the test binaries, by package, and explains the exit code of go
	// test.
	Report func(results []Result, code int) error
}

// Run runs go test, and reports. The tests get an interrupt from the terminal too. What became of
// them is reported, also when they had just ended.
func (g *GoTest) Run(ctx context.Context, plans map[string]*exploration.Plan) error {
	if err := WritePlans(g.Exchange, plans); err != nil {
		return err
	}
	screen := &terminal.Screen{To: g.Streams.Err}
	shown, err := notes{g.Exchange}.show(screen)
	if err != nil {
		return err
	}
	defer shown.Close()
	interrupted, stop := interrupt.Context(ctx)
	defer stop()
	defer g.answerQuit(ctx)()
	if len(plans) > 1 && terminal.ShowsProgress(g.Streams.Err) && terminal.IsTerminal(g.Streams.Out) {
		g.Streams.Out = screen.Beside(g.Streams.Out) // which one package has beside another
	}
	code, err := g.start(ctx)
	if err != nil {
		return err
	}
	results, err := ReadResults(g.Exchange)
	if err != nil {
		return err
	}
	if len(results) == 0 && code == terminated {
		return exit.Code(code)
	}
	if len(results) == 0 && code != 0 {
		return errors.New("go test failed before any test ran")
	}
	if interrupted.Err() != nil && len(results) == len(plans) {
		code = codeOf(results)
	}
	return g.Report(results, code)
}

// codeOf returns the exit code of the first test binary that failed, 0 if none did. That of go test
// itself says nothing after an interrupt, which is a failure to it.
func codeOf(results []Result) int {
	for _, r := range results {
		if r.Code != 0 {
			return r.Code
		}
	}
	return 0
}

// answerQuit has SIGQUIT answered by where the goroutines of the tests stand, until the function
// returned is called.
func (g *GoTest) answerQuit(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		for {
			select {
			case <-quit:
				if control.WhereBelow(ctx, os.Getpid(), g.Streams.Err) == 0 {
					fmt.Fprintln(g.Streams.Err, "antichain: no test is running whose goroutines could be shown")
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		signal.Stop(quit)
		cancel()
	}
}

// terminated is the exit code after SIGTERM.
const terminated = 128 + int(syscall.SIGTERM)

// start runs the command and returns its exit code. SIGTERM ends it, too.
func (g *GoTest) start(ctx context.Context) (code int, err error) {
	running, stopped := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stopped()
	cmd, err := g.Command(running)
	if err != nil {
		return 0, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.Streams.In, g.Streams.Out, g.Streams.Err
	if g.Events != nil {
		cmd.Stdout = g.Events
	}
	code, err = exit.CodeOf(cmd.Run())
	if g.Events != nil {
		err = errors.Join(err, g.Events.End(code))
	}
	switch {
	case err != nil:
		return 0, err
	case running.Err() != nil && ctx.Err() == nil:
		fmt.Fprintln(g.Streams.Err, "antichain: terminated, and the tests with it")
		return terminated, nil
	}
	return code, nil
}

// Findings returns the findings in a package whose test binary has ended, as parts of a test.
// Properties that hold are left out.
func Findings(exchange, pkg string) (all []testevents.Finding) {
	results, _ := ReadResults(exchange) // errors are reported when go test has ended
	for _, r := range results {
		if r.Package != pkg || r.Reports == nil {
			continue
		}
		for _, c := range reports.Cases(r.Reports.Accounts) {
			if c.Result == "pass" {
				continue
			}
			text, result := c.Account.Text, c.Result
			if result != "fail" { // go test has no word for what has no verdict
				text, result = c.Message+"\n"+text, "skip"
			}
			all = append(all, testevents.Finding{Name: c.Name, Result: result, Text: text})
		}
	}
	return all
}

// Untested returns the packages that have properties but whose tests did not run.
func Untested(specs map[string]specfile.Specification, results []Result) []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(specs)) {
		ran := slices.ContainsFunc(results, func(r Result) bool { return r.Package == path })
		if !ran && len(specfile.Properties(specs[path].Parsed)) > 0 {
			paths = append(paths, path)
		}
	}
	return paths
}

// Times of an orphan.
const (
	checkInterval = 500 * time.Millisecond // how often a process looks whether it is one
	gracePeriod   = 2 * time.Second        // for what the end of the context ends
)

// whileParentLives returns a context that ends when the process that started this one does. Soon
// after that this process ends, too, since its results have no reader. The function returned stops
// looking.
func whileParentLives(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			select {
			case <-time.After(checkInterval):
			case <-ctx.Done():
				return
			}
		}
		cancel()
		time.Sleep(gracePeriod)
		os.Exit(exit.Error)
	}()
	return ctx, cancel
}
