//go:build unix

// Command measure makes the tables of docs/performance.md, in Markdown. Run it in the repository:
//
//	go run ./cmd/measure tracing     what tracing costs; with -short for a quick look
//	go run ./cmd/measure start       how long it takes to run a program that ends at once
//	go run ./cmd/measure recording   what it costs that a trace has what built-in properties need
//	go run ./cmd/measure checking    what checks take; -run PATTERN and -seeds N for some of it
//	go run ./cmd/measure speed       whether antichain has become slower since another commit
//	go run ./cmd/measure growth      how that grows, also as pictures
//	go run ./cmd/measure live        how much slower programs are that are checked while they run
//	go run ./cmd/measure stalls      for how long a program stands still because of antichain
//	go run ./cmd/measure server      a web server and a gRPC server under load
//	go run ./cmd/measure monitor     how many events a second are checked while they come in
//	go run ./cmd/measure stream      rates, latencies and takeovers of monitors that read from Kafka
//	go run ./cmd/measure endless     the memory of a check that goes on for long
//	go run ./cmd/measure ltl         linear temporal logic on two classical programs, beside printed numbers
//	go run ./cmd/measure steps       formulas to automata, temporal steps a second, the memory of a long one
//	go run ./cmd/measure temporal    temporal logic in linear and branching time, beside SPIN and Spot
//	go run ./cmd/measure models      larger models: states, time and memory of checking them, beside SPIN
//	go run ./cmd/measure suites      the test suites of real modules, and what they cost
//	go run ./cmd/measure soundness   what is reported of random programs, beside all that they can do
//	go run ./cmd/measure states      how many of all states one run shows, in the order of its critical sections and in others
//	go run ./cmd/measure agreement   what each way to check built-in properties finds in the same runs
//	go run ./cmd/measure versions    what antichain does with several releases of Go
//	go run ./cmd/measure nonblocking how many bugs of a corpus are found in which nobody waits
//	go run ./cmd/measure atomicity   how many violations of atomicity and order are found in other orders of locks
//	go run ./cmd/measure races       which data races are found in logs, and what it takes to look for those that sections hide
//	go run ./cmd/measure racetests   what antichain says of the race detector's own tests, which come with Go
//	go run ./cmd/measure confirming  how often what is predicted can be made to happen, and again, and after edits
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/agreement"
	"github.com/antichain-go/antichain/cmd/measure/internal/atomicity"
	"github.com/antichain-go/antichain/cmd/measure/internal/confirming"
	"github.com/antichain-go/antichain/cmd/measure/internal/globalstates"
	"github.com/antichain-go/antichain/cmd/measure/internal/nonblocking"
	"github.com/antichain-go/antichain/cmd/measure/internal/races"
	"github.com/antichain-go/antichain/cmd/measure/internal/racetests"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness"
	"github.com/antichain-go/antichain/cmd/measure/internal/versions"
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

// run runs the command that the first argument names. Without a name it is tracing.
func run(args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return tracing(args)
	}
	switch name, args := args[0], args[1:]; name {
	case "tracing":
		return tracing(args)
	case "start":
		return starts(args)
	case "recording":
		return recording(args)
	case "checking":
		return checking(args)
	case "speed":
		return speed(args)
	case "growth":
		return growth(args)
	case "live":
		return slowdown(args)
	case "stalls":
		return stalls(args)
	case "server":
		return server(args)
	case "monitor":
		return monitor(args)
	case "stream":
		return stream(args)
	case "endless":
		return endless(args)
	case "ltl":
		return linear(args)
	case "steps":
		return stepping(args)
	case "temporal":
		return logics(args)
	case "models":
		return largeModels(args)
	case "suites":
		return suites(args)
	case "soundness":
		return soundness.Run(args, os.Stdout)
	case "states":
		return globalstates.Run(args, os.Stdout)
	case "agreement":
		return agreement.Run(args, os.Stdout)
	case "versions":
		return versions.Run(args, os.Stdout)
	case "nonblocking":
		return nonblocking.Run(args, os.Stdout)
	case "atomicity":
		return atomicity.Run(args, os.Stdout)
	case "races":
		return races.Run(args, os.Stdout)
	case "racetests":
		return racetests.Run(args, os.Stdout)
	case "confirming":
		return confirming.Run(args, os.Stdout)
	case longJob:
		return runLong(args, os.Stdout)
	case checkingJob:
		return runJob(os.Stdin, os.Stdout)
	case streamBroker:
		return runBroker(os.Stdin, os.Stdout)
	case streamReader:
		return runReader(args, os.Stdout)
	default:
		return fmt.Errorf("there is nothing to measure called %s, but: tracing, start, recording, checking, speed, growth, live, stalls, server, monitor, stream, endless, ltl, steps, temporal, models, suites, soundness, states, agreement, versions, nonblocking, atomicity, races, confirming", name)
	}
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
