package main

import (
	"fmt"
	"os"
	"syscall"

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
		Binary: binary, Args: args, Env: p.programEnv(),
		Stdin: fileOf(s.In), Stdout: fileOf(s.Out), Stderr: fileOf(s.Err),
		Table: table, Full: len(c.Properties) == 0 && p.Output+p.Ship.To != "", Sparse: c.Sparse(process.HeaderOf(table)), Root: p.Root, Seed: p.Seed,
	}, nil
}

// fileOf returns the file behind a stream. A program gets files only, which pass through
// untouched; nil stands for this process's own.
func fileOf(stream any) *os.File {
	f, _ := stream.(*os.File)
	return f
}

// exitStatus is the exit code of a process, 128+n if signal n ended it.
func exitStatus(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// remove removes a directory and says so if that fails: it holds values of the program.
func remove(s terminal.Streams, dir *launch.Dir) {
	if err := dir.Remove(); err != nil {
		fmt.Fprintln(s.Err, "antichain: warning:", err)
	}
}
