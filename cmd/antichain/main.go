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
	"os"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

func main() {
	os.Exit(mainerr(os.Args[1:], terminal.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
