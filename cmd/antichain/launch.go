package main

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/ingest/process"
	"github.com/antichain-go/antichain/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/launch"
)

// config says how to run a traced binary. The trace is full if it is kept and nothing is
// checked, and sparse if that is enough for what c checks.
func (p *plan) config(binary string, args []string, s terminal.Streams, c *check.Checker) (launch.Config, error) {
	table, err := instrument.TableOf(binary)
	if err != nil {
		return launch.Config{}, err
	}
	// A binary without a specification does not know.
	table.Instrumented.Untraced, table.Instrumented.Unwatched = p.Untraced, p.Unwatched
	return launch.Config{
		Binary: binary, Args: args,
		Stdin: terminal.FileOf(s.In), Stdout: terminal.FileOf(s.Out), Stderr: terminal.FileOf(s.Err),
		Table: table, Full: len(c.Properties) == 0 && (p.Output != "" || p.Destination != nil), Sparse: c.Sparse(process.HeaderOf(table)), Root: p.Root, Seed: p.Seed,
	}, nil
}

// remove removes a directory and says so if that fails: it holds values of the program.
func remove(s terminal.Streams, dir *launch.Dir) {
	if err := dir.Remove(); err != nil {
		fmt.Fprintln(s.Err, "antichain: warning:", err)
	}
}
