package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// finish turns the result of a verb into an exit code and prints what has not been said.
func finish(err error, stderr io.Writer) int {
	var code exit.Code
	switch {
	case err == nil:
		return exit.Holds
	case errors.As(err, &code):
		return int(code)
	}
	var bug *kafka.PanicError
	if errors.As(err, &bug) {
		tellBug(bug.Value, bug.Stack, stderr)
		return exit.Bug
	}
	fmt.Fprintln(stderr, "antichain:", err)
	var stopped *limits.ReadStoppedError
	if errors.As(err, &stopped) {
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
