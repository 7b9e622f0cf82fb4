package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exploration"
	"github.com/antichain-go/antichain/cmd/antichain/internal/rerun"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/launch"
	"github.com/spf13/cobra"
)

func newRun(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the trace to this `FILE`: as text if its name ends in .jsonl, else in binary form", true)
	flags.BoolVar(&f.wait, "wait-for-checker", false, "make the program wait until antichain attach checks it from another terminal")
	registerRunID(flags, &f.runID)
	cmd := &cobra.Command{
		Use:   "run [--spec FILE] [-e FORMULA] [-o TRACE] [go build flags] PACKAGE [args...]",
		Short: "trace one run of a program and check it",
		Long: `run builds a program, runs it and checks its specification in every order of events that the
program's synchronisation allows. Without --spec and -e it checks the *.tl files beside the package.
The program keeps its arguments, standard streams, signals and exit code; reports go to standard
error. Once the program has ended, an interrupt (ctrl-C) ends the check with what is known so far,
and a second one ends antichain.

Without a specification too, run looks for deadlocks, goroutines that wait for ever, sends on
closed channels and the like. It reports these built-in properties when the program has ended.
antichain builtins lists and explains them; --builtin says which to check.

When function main returns, or its goroutine calls os.Exit, the program waits for goroutines that can
still go on by themselves, for at most a second (--linger), so that they show what they were about to
do. The exit code stays that of main. A panic in that time is reported as a violation. It ends at once
if no goroutine can go on, or if --builtin is none.

A check covers all orders of the recorded events. Behaviour that depends on data which only another
order produces shows up only if the program runs again. --explore 50 runs it 50 times, one goroutine
at a time, each time in an order that a number (the seed) determines. --seed with that number repeats
the run, unless the program depends on time, the network and the like. --for 10m makes such runs
until the time is over; a program that does not end by itself is ended after a tenth of it. --runs 10
makes ten ordinary runs. In each of these other goroutines let others go first, where a number says
so, with which --yields nearly repeats it.

A finding or violation that several of these runs show is reported once, with how many show it and
the smallest seed of those that know it best: it happened there, if it did in any. Runs go on after a
violation that is only predicted; --stop-at says what ends them. All but the first have no standard
input, and their output is shown only if they show something new.

With --live antichain checks the specification while the program runs. It halts the program as soon
as a property is violated, in the order in which events happened or in another one, and also reports
where the goroutines stand. A built-in property halts it when its violation has happened, as a
deadlock among others that go on, and with --live=predicted also when it is only predicted. At a
terminal an interactive session then begins, in which help lists the commands. Elsewhere antichain
ends the program with exit code 1; with --keep-going the program continues and the other properties
are checked. At functions and variables that the specification names, the program waits for the
check, so that it halts there and not later. These waits take at most an eighth of its time. As with
antichain monitor, a property can be checked live only if a violation stays one however the run
continues. antichain refuses other properties; with --defer it checks them at the end. If a signal
ends the program, verdicts that depend on its next steps are unknown. With --wait-for-checker the
program waits for antichain attach in another terminal, which does all of this.

With --halt-at FILE:LINE,FILE:LINE antichain halts the program when there is a goroutine at each of
these lines at once, or two at one that is named twice. Goroutines that come there are held before
the first statement that begins on the line. When nobody else can go on by himself, the one that is
held for longest goes on; after --hold-for all do. With --replay and --halt antichain halts a program
where a schedule leads. At a terminal the interactive session of --live then begins. Elsewhere the
program stays halted until antichain attach comes from another terminal, or with commands as its
standard input.

With --to antichain sends the trace to a Kafka topic while the program runs, for antichain monitor
elsewhere. It can check the trace here as well. Standard error shows the run's ID. If brokers are
away or slow, the program waits once --buffer and the memory it shares with antichain are full; with
--to-full stop antichain discards the rest of the trace instead, and the run is cut off there. At
the end antichain counts what was not delivered; the exit code is then 2 if the program's own is 0.
Once the program has ended, an interrupt stops the delivery.

Flags of antichain have two dashes or are -e, -o, -x or -h. Other flags before PACKAGE are flags of
go build. Everything after PACKAGE belongs to the program.

Exit codes: 2 before the program starts (usage, specification, build); then 1 if a property is
violated, else the program's own code if that is not 0 (128+n for a signal), else 2 for a
broken trace, 3 for unknown and with --strict for vacuous (antichain help spec), 0. The last line on
standard error says whose code it is.`,
		DisableFlagsInUseLine: true,
	}
	summarise(cmd, flags, summary{`run builds a program, runs it, and checks what can happen in every order of events that its
synchronisation allows: the properties of --spec and -e, else those of the *.tl files beside the
package, and built-in ones such as deadlock. The program keeps its arguments, standard streams,
signals and exit code. Reports go to standard error. Exit code 1 also means that a property is violated.`, []section{
		{"What is checked", []string{"spec", "expr", "builtin"}},
		{"Other orders", []string{"confirm", "explore", "for", "runs", "replay"}},
		{"While the program runs", []string{"live", "halt-at"}},
		{"What is kept and printed", []string{"output", "json"}},
	}})
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return run(ctx, s, f, args)
	})
}

func run(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	if f.scheduleDir != "" && f.confirm.attempts == 0 {
		return errors.New("--schedule-dir needs --confirm, which makes schedules")
	}
	if err := bareNumber("--confirm", f.confirm.attempts > 0, args.Rest); err != nil {
		return err
	}
	packages, rest := splitPackage(args.Rest)
	if len(packages) == 0 {
		return errors.New("no PACKAGE given: name the program, for example antichain run ./cmd/server")
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.wait && (f.seed+f.yields > 0 || f.several()) {
		return errors.New("--wait-for-checker cannot be combined with --seed, --yields, --explore, --for or --runs: antichain attach checks a single run")
	}
	if f.wait && f.to != "" {
		return errors.New("--wait-for-checker cannot be combined with --to: antichain attach receives the trace, and cannot send it")
	}
	if f.wait && f.halts() {
		return errors.New("--wait-for-checker cannot be combined with --halt or --halt-at: antichain attach halts the program at violations")
	}
	if f.wait && (f.live.On || f.output != "") {
		return errors.New("--wait-for-checker cannot be combined with --live or -o: antichain attach checks live, and has -o")
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	building := terminal.Working(s.Err, "building the traced program")
	defer building.Done()
	p, err := f.tracedBuild(args.Go, packages, dir.Path()).Program(ctx, building)
	if err != nil {
		return err
	}
	bin := filepath.Join(dir.Path(), "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	binary := filepath.Join(bin, p.Command)
	if err := f.possible(p.Build); err != nil {
		return err
	}
	if err := p.Build.Compile(ctx, binary); err != nil {
		return err
	}
	building.Done()
	if f.wait {
		return execution.RunWaiting(ctx, s, binary, rest, func(pid int) string { return rerun.Attach(p.Specification, f.logic, pid) })
	}
	plan := f.plan(p.Specification, p.Build, p.Package, terminal.StyleOf(s.Err))
	plan.Again = rerun.Verb("run", again(f, args))
	result, err := exploration.Run(ctx, plan, binary, rest, s, s.Err)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprint(s.Err, result.Builtins.Text())
	}
	return result.Conclude(s.Err, "the program", f.scope(p.Build, p.Specification))
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
