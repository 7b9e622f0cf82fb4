package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// The exit codes of every verb.
const (
	exitHolds    = 0
	exitViolated = 1
	exitError    = 2
	exitUnknown  = 3
	exitBug      = 4
)

// issues is where bugs are reported.
const issues = "https://github.com/antichain-go/antichain/issues"

// exitCode is an error that only carries the exit code: everything has been said.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// outcomes collects what came of several properties or traces.
type outcomes struct{ violated, failed, unknown bool }

// note takes a verdict into account.
func (o *outcomes) note(v tlcheck.Verdict) {
	switch v {
	case tlcheck.Violated:
		o.violated = true
	case tlcheck.Unknown:
		o.unknown = true
	}
}

// code returns the exit code: 1 if any property is violated, else 2, else 3, else 0.
func (o outcomes) code() int {
	switch {
	case o.violated:
		return exitViolated
	case o.failed:
		return exitError
	case o.unknown:
		return exitUnknown
	}
	return exitHolds
}

// err returns the code as an error, nil for 0.
func (o outcomes) err() error {
	if c := o.code(); c != exitHolds {
		return exitCode(c)
	}
	return nil
}

// finish turns the result of a verb into an exit code and prints what has not been said.
func finish(err error, stderr io.Writer) int {
	var code exitCode
	switch {
	case err == nil:
		return exitHolds
	case errors.As(err, &code):
		return int(code)
	}
	var bug *kafka.PanicError
	if errors.As(err, &bug) {
		tellBug(bug.Value, bug.Stack, stderr)
		return exitBug
	}
	fmt.Fprintln(stderr, "antichain:", err)
	var unread *unreadError
	if errors.As(err, &unread) {
		return exitUnknown
	}
	return exitError
}

// reportBug says what to do about a panic; it must be called by the recovering function.
func reportBug(v any, stderr io.Writer) { tellBug(v, string(debug.Stack()), stderr) }

func tellBug(v any, stack string, stderr io.Writer) {
	fmt.Fprintf(stderr, "antichain: internal error: %v\n\n%s\n", v, stack)
	fmt.Fprintf(stderr, "This is a bug in antichain (%s). Please report it with the lines above, the command\n"+
		"and, if you can share it, the trace: %s\n", versionString(), issues)
}
