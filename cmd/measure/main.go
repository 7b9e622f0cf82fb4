//go:build unix

// Command measure makes the tables of docs/performance.md and docs/checking-speed.md, in Markdown.
// Run it in the repository:
//
//	go -C cmd/measure run . tracing    what tracing costs; with -short for a quick look
//
// A wrong name lists all that can be measured. Files in flags are relative to the root of the
// repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/agreement"
	"github.com/antichain-go/antichain/cmd/measure/internal/atomicity"
	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
	"github.com/antichain-go/antichain/cmd/measure/internal/confirming"
	"github.com/antichain-go/antichain/cmd/measure/internal/found"
	"github.com/antichain-go/antichain/cmd/measure/internal/globalstates"
	"github.com/antichain-go/antichain/cmd/measure/internal/golf"
	"github.com/antichain-go/antichain/cmd/measure/internal/histories"
	"github.com/antichain-go/antichain/cmd/measure/internal/nonblocking"
	"github.com/antichain-go/antichain/cmd/measure/internal/orders"
	"github.com/antichain-go/antichain/cmd/measure/internal/races"
	"github.com/antichain-go/antichain/cmd/measure/internal/racetests"
	"github.com/antichain-go/antichain/cmd/measure/internal/sampling"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness"
	"github.com/antichain-go/antichain/cmd/measure/internal/verifying"
	"github.com/antichain-go/antichain/cmd/measure/internal/versions"
	"github.com/antichain-go/antichain/cmd/measure/internal/waiting"
)

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// measurement is a part of what can be measured. Its table is printed.
type measurement struct {
	name, about string
	run         func(args []string) error
}

var measurements = []measurement{
	{"tracing", "what tracing costs; with -short for a quick look", tracing},
	{"start", "how long it takes to run a program that ends at once", starts},
	{"recording", "what it costs that a trace has what built-in properties need", recording},
	{"checking", "what checks take; -run PATTERN and -seeds N for some of it", checking},
	{"speed", "whether antichain has become slower since another commit", speed},
	{"growth", "how that grows, also as pictures", growth},
	{"live", "how much slower programs are that are checked while they run", slowdown},
	{"stalls", "for how long a program stands still because of antichain", stalls},
	{"server", "a web server and a gRPC server under load", server},
	{"monitor", "how many events a second are checked while they come in", monitor},
	{"stream", "rates, latencies and takeovers of monitors that read from Kafka", stream},
	{"endless", "the memory of a check that goes on for long", endless},
	{"requests", "the memory of built-in properties on a server that goes on for long", requests},
	{"ltl", "linear temporal logic on two classical programs, beside printed numbers", linear},
	{"steps", "formulas to automata, temporal steps a second, the memory of a long one", stepping},
	{"temporal", "temporal logic in linear and branching time, beside SPIN and Spot", logics},
	{"models", "larger models: states, time and memory of checking them, beside SPIN", largeModels},
	{"suites", "the test suites of real modules, and what they cost", suites},
	{"hangs", "when hangs are reported beside a busy server, what is while suites run, what that costs", hangs},
	{"soundness", "what is reported of random programs, beside all that they can do", printing(soundness.Run)},
	{"waiting", "which goroutines wait for ever at the end of random programs, beside those reported",
		printing(waiting.Run)},
	{"states", "how many of all states one run shows, in the order of its critical sections and in others", printing(globalstates.Run)},
	{"agreement", "what each way to check built-in properties finds in the same runs", printing(agreement.Run)},
	{"versions", "what antichain does with several releases of Go", printing(versions.Run)},
	{"nonblocking", "how many bugs of a corpus are found in which no goroutine waits", printing(nonblocking.Run)},
	{"golf", "how many labelled leaks of GOLF's microbenchmarks are named", printing(golf.Run)},
	{"found", "which bugs of real programs are found, and how", printing(found.Run)},
	{"history", "which bugs of modules are found that a later version has mended; goes on where it was stopped",
		printing(found.RunHistory)},
	{"atomicity", "how many violations of atomicity and order are found in other orders of locks", printing(atomicity.Run)},
	{"races", "which data races are found in logs, and what it takes to look for those that sections hide", printing(races.Run)},
	{"racetests", "what antichain says of the race detector's own tests, which come with Go", printing(racetests.Run)},
	{"linearizability", "Porcupine's test data: verdicts, time and memory, beside Porcupine", printing(histories.Run)},
	{"confirming", "how often what is predicted can be made to happen, and again, and after edits", printing(confirming.Run)},
	{"orders", "whether --explore all runs all orders of random programs", printing(orders.Run)},
	{"strategies", "how many runs each strategy of --explore needs until something is reported",
		printing(sampling.Run)},
	{"verify", "which fixes of GoKer's kernels antichain verify accepts, and which ones without a part", printing(verifying.Run)},
}

// printing lets a measurement of another package print.
func printing(run func(args []string, w io.Writer) error) func([]string) error {
	return func(args []string) error { return run(args, os.Stdout) }
}

// run measures what the first argument names. Without a name it is tracing.
func run(args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		args = append([]string{"tracing"}, args...)
	}
	switch name, args := args[0], args[1:]; name { // processes that measurements start
	case longJob:
		return runLong(args, os.Stdout)
	case checkingJob:
		return runJob(os.Stdin, os.Stdout)
	case streamBroker:
		return runBroker(os.Stdin, os.Stdout)
	case streamReader:
		return runReader(args, os.Stdout)
	}
	for _, m := range measurements {
		if m.name != args[0] {
			continue
		}
		if err := checkout.Enter(context.Background()); err != nil {
			return err
		}
		return m.run(args[1:])
	}
	return fmt.Errorf("there is nothing to measure called %s, but:\n%s", args[0], list())
}

// list has a line for each measurement.
func list() string {
	var text strings.Builder
	for _, m := range measurements {
		fmt.Fprintf(&text, "  %-11s %s\n", m.name, m.about)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// tracing prints what tracing costs.
func tracing(args []string) error {
	flags := selecting("tracing", "rows whose names match this `pattern`")
	flags.canBeShort("few operations, no sizes: to see that everything works")
	sizes := flags.Bool("sizes", true, "also measure traces and nets")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	defer b.remove()
	var results []result
	err = eachRow(rows, nameOf, flags.pattern, func(r *row) error {
		measured, err := b.row(*r, []variant{plain, traced, withSpec, builtins, race}, *flags.count, flags.divide())
		results = append(results, measured)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("Medians of %d, interleaved.\n\n", *flags.count)
	fmt.Print(costTable(results), "\n", verdictTable(results))
	if *flags.short || !*sizes {
		return nil
	}
	text, err := b.sizes(*flags.count)
	if err != nil {
		return err
	}
	fmt.Print("\n", text)
	return nil
}
