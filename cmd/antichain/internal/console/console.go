// Package console is the command line of interactive sessions: a terminal with a line editor, and
// tables of commands.
//
// It behaves like gdb and Delve. A command may be abbreviated to any unique prefix, an empty line
// repeats some commands, ctrl-C discards the line, and ctrl-D ends the session.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// Console is the terminal of a dialogue: a *Terminal, or a *Script.
type Console interface {
	io.Writer

	// ReadLine returns a typed line. At ctrl-C it fails with ErrInterrupted, at ctrl-D and the end
	// of the input with io.EOF. complete returns candidates for the last word of a line.
	ReadLine(prompt string, complete func(line string) []string) (string, error)

	// Run runs a program that replaces the dialogue until it ends.
	Run(cmd *exec.Cmd) error
}

// ErrInterrupted is the error of Console.ReadLine at ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Confirm asks a question. Yes and ctrl-D confirm, ctrl-C does not.
func Confirm(c Console, question string) (bool, error) {
	line, err := c.ReadLine(question+" (y or n) ", nil)
	switch {
	case errors.Is(err, io.EOF):
		return true, nil
	case errors.Is(err, ErrInterrupted):
		return false, nil
	}
	line = strings.ToLower(strings.TrimSpace(line))
	return err == nil && line != "" && strings.HasPrefix("yes", line), err
}

// DelveCommand is the command that looks at a halted process with the debugger Delve.
func DelveCommand[D Console](process func(D) (context.Context, int, error)) *Command[D] {
	return &Command[D]{
		Name: "dlv", Short: "look at the program with Delve, and come back when that ends",
		Long: "Delve attaches to the process. The goroutines are where antichain has halted them. Leave Delve with\n" +
			"quit, and do not let it kill the process; the session then continues.",
		Do: func(d D, _ string, _ []string) error {
			ctx, pid, err := process(d)
			if err != nil {
				return err
			}
			return runDelve(ctx, d, pid)
		},
	}
}

// runDelve runs Delve on a process until it ends.
func runDelve(ctx context.Context, c Console, pid int) error {
	path, err := exec.LookPath("dlv")
	if err != nil {
		return errors.New("no dlv in PATH: install it with go install github.com/go-delve/delve/cmd/dlv@latest")
	}
	if err := c.Run(exec.CommandContext(ctx, path, "attach", strconv.Itoa(pid))); err != nil {
		return fmt.Errorf("dlv: %w; the system may allow only a parent to trace a process (see /proc/sys/kernel/yama/ptrace_scope)", err)
	}
	return nil
}
