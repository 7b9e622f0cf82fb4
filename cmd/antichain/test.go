package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/spf13/cobra"
)

func newTest(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`; with several packages a directory, one file for each", true)
	cmd := &cobra.Command{
		Use:   "test [--spec FILE] [-e FORMULA] [-o TRACE] [go test flags] [packages] [test binary flags]",
		Short: "trace go test and check each test binary",
		Long: `test runs go test with tracing built in and checks for each package the *.tl files beside it
or, if they are given, --spec and -e. A specification given with --spec belongs to the package
in whose directory it lies; if that is none of those tested, and for -e, there must be only one
package. What go test prints and how the tests end is not changed by the checks; reports follow
on standard error. Built-in properties are checked in every package, with or without a
specification (antichain builtins explains them). With --live a test binary is ended at the first violation, as with run.
With --explore each test binary is run again under steered schedules, as with run; what it prints in a run that
finds nothing is not shown. go test's -timeout is for all of these runs: when it is over, no more are made. With
--to the trace of each test binary goes to a topic of Kafka, as with run.

Flags of antichain have two dashes or are -e, -o, -x or -h; other flags before the packages
are go test's: antichain test -run X -count 2 -timeout 1m ./...

Exit codes as with run: 2 before a test starts, 1 if a property is violated, else that of go
test if it is not 0, else 2 for a broken trace, 3 for unknown, 0.`,
		DisableFlagsInUseLine: true,
	}
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return test(ctx, s, f, args)
	})
}

func test(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	patterns, rest := splitPatterns(args.Rest)
	if err := f.checkLive(); err != nil {
		return err
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	config := instrument.Config{
		Verb: instrument.Test, GoFlags: args.Go, Packages: patterns, CacheDir: dir.Path(), Stderr: s.Err,
		Memory: findings.NeedsAccesses(f.builtins), MemoryPackages: f.raceIn,
	}
	packages, err := instrument.ListPackages(ctx, config)
	if err != nil {
		return err
	}
	specs, err := f.specifications(packages)
	if err != nil {
		return err
	}
	var mistakes []error
	for _, p := range packages {
		mistakes = append(mistakes, f.admit(specs[p.ImportPath]))
	}
	if err := errors.Join(mistakes...); err != nil {
		return err
	}
	for _, p := range packages {
		if request := f.request(specs[p.ImportPath].loaded); !wantsNothing(request) {
			config.Specs = append(config.Specs, rewrite.Spec{Package: p.ImportPath, Request: request})
		}
	}
	build, err := instrument.Prepare(ctx, config)
	if err != nil {
		return err
	}
	warn(s.Err, build)
	if err := f.possible(build); err != nil {
		return err
	}
	plans := map[string]*plan{}
	for _, p := range packages {
		plan := f.plan(specs[p.ImportPath], build, p, terminal.StyleOf(s.Err))
		plan.Again = againVerb("test", again(f, args))
		if plan.Output, err = outputOf(f.output, p, len(packages)); err != nil {
			return err
		}
		plan.Name = cmp.Or(plan.Output, p.ImportPath)
		plans[p.ImportPath] = plan
	}
	exchange := filepath.Join(dir.Path(), "tests")
	if err := writePlans(exchange, plans); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	running, stopped := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stopped()
	cmd, err := build.TestCommand(running, []string{self, execTestVerb, exchange}, rest)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
	// The tests get an interrupt from the terminal too. What became of them is reported.
	_, stop := interrupt.Context(ctx)
	defer stop()
	code, err := exitOf(cmd.Run())
	switch {
	case err != nil:
		return err
	case running.Err() != nil && ctx.Err() == nil:
		fmt.Fprintln(s.Err, "antichain: terminated, and the tests with it; nothing was checked")
		return exit.Code(128 + int(syscall.SIGTERM))
	}
	results, err := readResults(exchange)
	if err != nil {
		return err
	}
	if len(results) == 0 && code != 0 {
		return errors.New("go test failed before any test ran")
	}
	all := summarise(s.Err, results, code)
	if all.checked() { // else nothing was, and conclude says so
		for _, path := range untested(specs, results) {
			fmt.Fprintf(s.Err, "antichain: %s: the specification was not checked: go test ran no test binary of this package; are there _test.go files?\n", path)
		}
	}
	if !f.json {
		fmt.Fprint(s.Err, all.Builtins.Summary())
	}
	return all.conclude(s.Err, "go test", f.builtins, slices.Collect(maps.Values(specs))...)
}

// untested returns the packages with properties of which no test has run.
func untested(specs map[string]specification, results []testResult) []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(specs)) {
		ran := slices.ContainsFunc(results, func(r testResult) bool { return r.Package == path })
		if !ran && len(specfile.Properties(specs[path].loaded)) > 0 {
			paths = append(paths, path)
		}
	}
	return paths
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

// specifications says what to check on each package.
func (f *traceFlags) specifications(packages []instrument.Package) (map[string]specification, error) {
	specs := map[string]specification{}
	if !f.Given() {
		for _, p := range packages {
			spec, err := f.specification(p.Dir)
			if err != nil {
				return nil, err
			}
			specs[p.ImportPath] = spec
		}
		return specs, nil
	}
	if _, err := f.Load(); err != nil {
		return nil, err
	}
	owned := map[string]specfile.Source{}
	for _, file := range f.Files {
		p, err := ownerOf(file, packages)
		if err != nil {
			return nil, err
		}
		flags := owned[p.ImportPath]
		flags.Files = append(flags.Files, file)
		owned[p.ImportPath] = flags
	}
	if len(f.Formulas)+len(f.Shared) > 0 {
		p, err := ownerOf("-e", packages)
		if err != nil {
			return nil, err
		}
		flags := owned[p.ImportPath]
		flags.Formulas, flags.Shared = f.Formulas, f.Shared
		owned[p.ImportPath] = flags
	}
	for path, flags := range owned {
		loaded, err := flags.Load()
		if err != nil {
			return nil, err
		}
		specs[path] = specification{flags, loaded}
	}
	return specs, nil
}

// ownerOf returns the package in which the names of a specification are looked up.
func ownerOf(file string, packages []instrument.Package) (instrument.Package, error) {
	if len(packages) == 1 {
		return packages[0], nil
	}
	if dir, err := filepath.Abs(filepath.Dir(file)); err == nil && file != "-e" {
		for _, p := range packages {
			if p.Dir == dir {
				return p, nil
			}
		}
	}
	return instrument.Package{}, fmt.Errorf("%s: which of the %s do its names belong to? Put the specification into the package's directory, or name one package",
		file, report.Plural(len(packages), "package"))
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
	return output, overwritable(output)
}

// exitOf returns the exit code of a command that has run.
func exitOf(err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	return exitStatus(exit.ProcessState), nil
}
