// Command antichain checks temporal specifications of parallel programs: it records one run
// of a Go program and looks at every order of the run's events that the program's
// synchronisation allows, also at those that did not happen.
//
// "antichain help" lists the verbs, "antichain help spec" is the reference of the
// specification language. The exit code of every verb is
//
//	0  every property holds
//	1  a property is violated
//	2  a mistake in the usage, the specification or the input
//	3  unknown: a budget ran out, or events were lost
//	4  a bug in antichain
//
// Of several properties or traces: 1 if any is violated, else 2, else 3, else 0. run and test
// exit with 2 before the program starts (usage, specification, build); then with 1 if a
// property is violated, else with the program's own code if that is not 0 (128+n for a
// signal), else with 2 for a broken trace, 3 for unknown, and 0. Their last line on standard
// error says whose code it is.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

func main() {
	os.Exit(mainerr(os.Args[1:], terminal.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// finish turns the result of a verb into an exit code and prints what has not been said.
func finish(err error, stderr io.Writer) int {
	var code exit.Code
	switch {
	case err == nil:
		return exit.Holds
	case errors.As(err, &code):
		return int(code)
	}
	if bug, ok := errors.AsType[*kafka.PanicError](err); ok {
		tellBug(bug.Value, bug.Stack, stderr)
		return exit.Bug
	}
	fmt.Fprintln(stderr, "antichain:", err)
	if _, ok := errors.AsType[*limits.ReadStoppedError](err); ok {
		return exit.Unknown
	}
	return exit.Error
}

// reportBug says what to do about a panic; it must be called by the recovering function.
func reportBug(v any, stderr io.Writer) { tellBug(v, string(debug.Stack()), stderr) }

func tellBug(v any, stack string, stderr io.Writer) {
	fmt.Fprintf(stderr, "antichain: internal error: %v\n\n%s\n", v, stack)
	fmt.Fprintf(stderr, "This is a bug in antichain (%s). Please report it with the lines above, the command\n"+
		"and, if you can share it, the trace: %s\n", versionString(), exit.IssuesURL)
}
