package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tracer/control"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/spf13/cobra"
)

func newRun(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`: as text if its name ends in .jsonl, else in the binary form", true)
	flags.BoolVar(&f.wait, "wait-for-checker", false, "let the program wait until antichain attach checks it from another terminal")
	flags.StringVar(&f.runID, "run-id", "", "with --to, the `ID` of the run; default one that no other run has")
	cmd := &cobra.Command{
		Use:   "run [--spec FILE] [-e FORMULA] [-o TRACE] [go build flags] PACKAGE [args...]",
		Short: "trace one run of a program and check it",
		Long: `run builds the program, runs it with these arguments and checks its specification in every
order of the run's events that its synchronisation allows. Without --spec and -e the *.tl
files beside the package are checked. The program's standard streams, signals and exit code
pass through; reports go to standard error. Once the program has ended, an interrupt (ctrl-C)
ends the check with what is known so far, a second one antichain.

Deadlocks, goroutines that wait for ever, sends on closed channels and the like are looked for without a
specification: antichain builtins lists and explains these built-in properties, --builtin says which
are checked. They are reported when the program has ended.

What depends on data that another order of events would have brought about is seen only by running the
program again: --explore 50 does so 50 times, with its goroutines one at a time and in orders that a
number decides. The first run that violates a property or fails is reported; --seed with its number repeats
it, as far as the program does not depend on time, the network and the like. These runs have no standard
input, and what they print is shown only of the one that is reported.

With --live the specification is checked while the program runs. As soon as a property is violated, in
the order in which things happened or in another, the program is halted; the report says also where its
goroutines stand. At a terminal a dialogue begins then, in which help lists what can be looked at and done.
Elsewhere the program is ended, with exit code 1, or goes on with --keep-going and the other
properties. At what the specification names the program waits for the check, so that it is halted there
and not later, but for no more than an eighth of its time. As with antichain monitor, properties whose
violations may go away as the run goes on are refused, or with --defer checked at the end; if a signal ends
the program, what rests on its next steps is unknown. With --wait-for-checker all that takes place in
another terminal, where antichain attach checks the program.

With --to the trace goes to a topic of Kafka while the program runs, for antichain monitor elsewhere, and can
be checked here all the same. Standard error says which run it is. Brokers that are away, or slow, hold the
program up when --buffer and the memory that it shares with antichain are full; with --to-full stop the
rest of the trace is given up instead, and the run is cut off there. If anything was not delivered, it is
counted at the end, and the exit code is 2 if the program's own is 0. Once the program has ended, an interrupt
ends the sending.

Flags of antichain have two dashes or are -e, -o, -x or -h; other flags before PACKAGE are go
build's, and everything after it belongs to the program.

Exit codes: 2 before the program starts (usage, specification, build); then 1 if a property is
violated, else the program's own code if that is not 0 (128+n for a signal), else 2 for a
broken trace, 3 for unknown, 0. The last line on standard error says whose code it is.`,
		DisableFlagsInUseLine: true,
	}
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return run(ctx, s, f, args)
	})
}

func run(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	packages, rest := splitPackage(args.Rest)
	if len(packages) == 0 {
		return errors.New("no PACKAGE given: name the program, for example antichain run ./cmd/server")
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.wait && f.seed+uint64(f.explore) > 0 {
		return errors.New("--wait-for-checker runs the program for another antichain: --seed and --explore are for a run of this one")
	}
	if f.wait && f.to != "" {
		return errors.New("--wait-for-checker leaves the trace to antichain attach, which cannot send it: leave --to or --wait-for-checker out")
	}
	if f.wait && (f.live || f.output != "") {
		return errors.New("--wait-for-checker leaves checking to antichain attach: give --live and -o up, or --wait-for-checker; attach checks live, and has -o")
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	building := terminal.Working(s.Err, "building the traced program")
	defer building.Done()
	p, err := prepareProgram(ctx, building, f, args.Go, packages, dir.Path())
	if err != nil {
		return err
	}
	bin := filepath.Join(dir.Path(), "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	binary := filepath.Join(bin, p.command)
	if err := f.possible(p.build); err != nil {
		return err
	}
	if err := p.build.Compile(ctx, binary); err != nil {
		return err
	}
	building.Done()
	if f.wait {
		return runWaiting(ctx, s, f, p, binary, rest)
	}
	plan := f.plan(p.spec, p.build, p.Package, terminal.StyleOf(s.Err))
	plan.Again = againVerb("run", again(f, args))
	result, err := plan.run(ctx, binary, rest, s, s.Err)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprint(s.Err, result.Builtins.Summary())
	}
	return result.conclude(s.Err, "the program", f.builtins, p.spec)
}

// runWaiting runs a program that waits for a checker, which is another process, and passes its
// exit code on.
func runWaiting(ctx context.Context, s terminal.Streams, f *traceFlags, p *program, binary string, args []string) error {
	run, err := launch.StartWaiting(ctx, launch.Config{
		Binary: binary, Args: args, Stdin: fileOf(s.In), Stdout: fileOf(s.Out), Stderr: fileOf(s.Err),
	})
	if err != nil {
		return err
	}
	if comesToWait(run) {
		fmt.Fprintf(s.Err, "antichain: to check it, type in another terminal: %s\n", againAttach(p.spec, f.logic, run.PID()))
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

// comesToWait returns when a program waits for a checker, and can be attached to; false if it ends without.
func comesToWait(run *launch.Run) bool {
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

// splitPackage separates the package, or the .go files that make one, from the program's
// arguments, as go run does.
func splitPackage(args []string) (packages, rest []string) {
	n := 0
	for n < len(args) && strings.HasSuffix(args[n], ".go") {
		n++
	}
	if n == 0 && len(args) > 0 {
		n = 1
	}
	return args[:n], args[n:]
}

// program is one program to be built, with its specification.
type program struct {
	instrument.Package
	command string // the name that go gives to the executable
	spec    specification
	build   *instrument.Build
}

// majorVersion is the last element of the path of a module's second or later version.
var majorVersion = regexp.MustCompile(`/v([2-9]|[1-9][0-9]+)$`)

// commandName is the name that go gives to the executable of a package, or of the list of
// files that begins with pattern.
func commandName(importPath, pattern string) string {
	if file, ok := strings.CutSuffix(pattern, ".go"); ok {
		return filepath.Base(file)
	}
	return path.Base(majorVersion.ReplaceAllString(importPath, ""))
}

// prepareProgram loads the specification and prepares the build in dir. All mistakes in usage,
// specification and names come out here, before anything runs. What go says goes to w.
func prepareProgram(ctx context.Context, w io.Writer, f *traceFlags, goFlags, packages []string, dir string) (*program, error) {
	config := instrument.Config{
		Verb: instrument.Executable, GoFlags: goFlags, Packages: packages, CacheDir: dir, Stderr: w,
		Memory: findings.NeedsAccesses(f.builtins), MemoryPackages: f.raceIn, Without: f.without,
	}
	matched, err := instrument.ListPackages(ctx, config)
	if err != nil {
		return nil, err
	}
	if len(matched) != 1 {
		return nil, fmt.Errorf("%s matches %s: name one program", strings.Join(packages, " "), report.Plural(len(matched), "package"))
	}
	p := &program{Package: matched[0], command: commandName(matched[0].ImportPath, packages[0])}
	if p.Name != "main" {
		return nil, fmt.Errorf("package %s is not a program: it is named %s, not main (antichain test traces its tests)", p.ImportPath, p.Name)
	}
	if p.spec, err = f.specification(p.Dir); err != nil {
		return nil, err
	}
	if err := f.admit(p.spec); err != nil {
		return nil, err
	}
	if request := f.request(p.spec.loaded); !wantsNothing(request) {
		config.Specs = []rewrite.Spec{{Package: p.ImportPath, Request: request}}
	}
	if p.build, err = instrument.Prepare(ctx, config); err != nil {
		return nil, err
	}
	warn(w, p.build)
	return p, nil
}
