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

// Delve runs the debugger Delve on a process until it ends.
func Delve(ctx context.Context, c Console, pid int) error {
	path, err := exec.LookPath("dlv")
	if err != nil {
		return errors.New("no dlv in PATH: install it with go install github.com/go-delve/delve/cmd/dlv@latest")
	}
	if err := c.Run(exec.CommandContext(ctx, path, "attach", strconv.Itoa(pid))); err != nil {
		return fmt.Errorf("dlv: %w; the system may allow only a parent to trace a process (see /proc/sys/kernel/yama/ptrace_scope)", err)
	}
	return nil
}
