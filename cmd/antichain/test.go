package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testevents"
	"github.com/antichain-go/antichain/cmd/antichain/internal/testrun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/spf13/cobra"
)

func newTest(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`; with several packages a directory, one file for each", true)
	f.registerHang(flags, defaultTestHang)
	cmd := &cobra.Command{
		Use:                   "test [--spec FILE] [-e FORMULA] [-o TRACE] [go test flags] [packages] [test binary flags]",
		Short:                 "trace go test and check each test binary",
		DisableFlagsInUseLine: true,
	}
	help.Summarise(cmd, flags, []help.Section{
		{Title: "What is checked", Flags: []string{"spec", "expr", "builtin", "strict"}},
		{Title: "Other orders", Flags: []string{"predict", "confirm", "explore", "for", "runs", "replay"}},
		{Title: "While the tests run", Flags: []string{"live", "halt-at"}},
		{Title: "What is kept and printed", Flags: []string{"output", "json", "report", "baseline"}},
	})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return test(ctx, s, f, args)
	})
}

func test(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	patterns, rest := splitPatterns(args.Rest)
	if err := cmp.Or(f.checkLive(), f.findSchedules(), f.out.Prepare(f.output)); err != nil {
		return err
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	goFlags, events := f.testEvents(args, s, filepath.Join(dir.Path(), "tests"))
	var tests *tracedbuild.Tests
	err = tracedbuild.Interruptible(ctx, s.Err, func(ctx context.Context) (err error) {
		tests, err = f.tracedBuild(goFlags, patterns, dir.Path()).Tests(ctx, s.Err)
		return err
	})
	if err != nil {
		return err
	}
	packages, specs, build := tests.Packages, tests.Specifications, tests.Build
	if f.verifies != "" && len(packages) > 1 {
		return fmt.Errorf("a schedule is verified with one package, and these are %d", len(packages))
	}
	if err := f.possible(build, slices.Collect(maps.Values(specs))...); err != nil {
		return err
	}
	within, known := build.TestTimeout(rest)
	if known && within > 0 {
		rest = instrument.WithTestTimeout(rest, f.testTimeout(within, specs))
	}
	plans := map[string]*exploration.Plan{}
	for _, p := range packages {
		plan := f.plan(specs[p.ImportPath], build, p, terminal.StyleOf(s.Err))
		plan.Known.Excluded = tests.Excluded
		plan.Confirm, plan.Tests = f.confirmsUnasked(build), execution.Tests{EndReplay: true, Recur: f.recurs(),
			Within: within, Shown: terminal.ShowsProgress(s.Err)}
		plan.Reports.All = plan.Reports.All || events != nil
		plan.Check.Style.Again, plan.Check.NamesTests = rerun.Verb("test", againPackage(f, args, p, len(packages))), !choosesTests(args)
		plan.Live.AtTerminal = f.mayHalt() && !f.json && terminal.IsTerminal(terminal.FileOf(s.In)) && terminal.IsTerminal(terminal.FileOf(s.Err))
		if plan.Record.Path, err = outputOf(f.output, p, len(packages)); err != nil {
			return err
		}
		plan.Name = cmp.Or(plan.Record.Path, p.ImportPath)
		plans[p.ImportPath] = plan
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	exchange := filepath.Join(dir.Path(), "tests")
	command := func(ctx context.Context) (*exec.Cmd, error) {
		return build.TestCommand(ctx, []string{self, execTestVerb, exchange}, rest)
	}
	defer build.KeepTestBinary()
	report := func(results []testrun.Result, code int) error {
		if f.verifies != "" {
			return f.verifiedTest(s, results)
		}
		return reportTests(s, f, build, specs, results, events, code)
	}
	shown := s
	if f.verifies != "" { // its outcome is all that is said
		shown.In, shown.Out = nil, nil
	}
	return (&testrun.GoTest{Streams: shown, Exchange: exchange, Command: command, Events: events, Report: report}).Run(ctx, plans)
}

// testTimeout returns how long go test may wait for a test binary and for the reports on it; 0 for
// any time. --timeout bounds the reading of the trace, each property, and the built-in ones.
func (f *traceFlags) testTimeout(tests time.Duration, specs map[string]specfile.Specification) time.Duration {
	parts := 2
	for _, s := range specs {
		parts = max(parts, 2+len(specfile.Properties(s.Parsed)))
	}
	if f.Timeout == 0 || f.Timeout > (math.MaxInt64/2-tests)/time.Duration(parts) {
		return 0
	}
	return tests + time.Duration(parts)*f.Timeout
}

// testEvents returns the flags for go, and what reads its output. With -json that passes events on,
// with findings among them. If a report has the results of tests, it reads events, and prints what
// go test does without -json. Otherwise it is nil.
func (f *traceFlags) testEvents(args instrument.Args, s terminal.Streams, exchange string) ([]string, *testevents.Stream) {
	switch {
	case hasTestFlag(args, "json"):
		return args.Go, testevents.PassOn(s.Out, func(pkg string) []testevents.Finding { return testrun.Findings(exchange, pkg) })
	case f.out.WantTests():
		shows := hasTestFlag(args, "bench") || hasTestFlag(args, "fuzz") || hasTestFlag(args, "list")
		return append(slices.Clone(args.Go), "-json"), testevents.Print(s.Out, s.Err, hasTestFlag(args, "v"), shows)
	}
	return args.Go, nil
}

// hasTestFlag reports whether a flag of go test is given, and not as false.
func hasTestFlag(args instrument.Args, flag string) bool {
	given := false
	for _, word := range slices.Concat(args.Go, args.Rest) {
		if word == "-args" || word == "--args" {
			break
		}
		name, value, _ := strings.Cut(strings.TrimPrefix(word, "-"), "=")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "-"), "test.")
		if isOn, err := strconv.ParseBool(value); strings.HasPrefix(word, "-") && name == flag {
			given = err != nil || isOn
		}
	}
	return given
}

// reportTests reports what the test binaries have left, after go test has ended with that exit
// code.
func reportTests(s terminal.Streams, f *traceFlags, build *instrument.Build, specs map[string]specfile.Specification, results []testrun.Result, events *testevents.Stream, code int) error {
	all := testrun.Summarise(s.Err, results, code)
	if events != nil {
		all.Reports.Tests = &events.Record
	}
	if all.HasChecked() { // else nothing was, and conclude says so
		for _, path := range testrun.Untested(specs, results) {
			fmt.Fprintf(s.Err, "antichain: %s: the specification was not checked: go test ran no test binary of this package; are there _test.go files?\n", path)
		}
	}
	if !f.json {
		fmt.Fprint(s.Err, all.Builtins.Text())
	}
	if !f.out.Write(s, all.Reports) {
		all.Failed = true
	}
	return all.Conclude(s.Err, "go test", f.scope(build, slices.Collect(maps.Values(specs))...))
}

// againPackage is again for one of several packages, or the only one.
func againPackage(f *traceFlags, args instrument.Args, p instrument.Package, packages int) instrument.Args {
	if packages == 1 {
		return again(f, args)
	}
	_, rest := splitPatterns(args.Rest)
	args.Rest = append([]string{p.ImportPath}, rest...)
	return again(f, args, "-o", "--output") // a directory, which one package has no use for
}

// choosesTests reports whether a flag for go test, or for the test binary, says which tests are to
// run.
func choosesTests(args instrument.Args) bool {
	return slices.ContainsFunc(slices.Concat(args.Go, args.Rest), func(word string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "-"), "=")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "-"), "test.")
		return strings.HasPrefix(word, "-") && slices.Contains([]string{"run", "skip", "bench", "fuzz"}, name)
	})
}

// splitPatterns separates the packages from the flags of the test binary, as go test does.
func splitPatterns(args []string) (patterns, rest []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			return args[:i], args[i:]
		}
	}
	return args, nil
}

// outputOf is the trace file of one package, in the directory output if there are several.
func outputOf(output string, p instrument.Package, packages int) (string, error) {
	if output == "" {
		return "", nil
	}
	output, err := filepath.Abs(output)
	if err != nil {
		return "", err
	}
	if packages > 1 {
		if err := os.MkdirAll(output, 0o700); err != nil {
			return "", err
		}
		output = filepath.Join(output, strings.ReplaceAll(p.ImportPath, "/", "_")+".trace")
	}
	return output, tracefile.CheckOverwritable(output)
}
