//go:build unix

package versions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A commandResult is what a command did.
type commandResult struct {
	line     string // as one would type it
	code     int
	out, err string // that it wrote
	aborted  error  // why it was killed, if it was
}

// execute runs a command in a directory. Once the context is done, all that it has started is
// killed.
func execute(ctx context.Context, env []string, dir, name string, args ...string) (*commandResult, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	r := &commandResult{line: strings.Join(append([]string{name}, args...), " "), code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String()}
	if r.aborted = ctx.Err(); r.aborted != nil {
		return r, nil
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || err == nil {
		return r, nil
	}
	return nil, fmt.Errorf("%s: %w", r.line, err)
}

// details are what a command did, with the begin and the end of its output.
func (r *commandResult) details() string {
	end := fmt.Sprintf("exit code %d", r.code)
	if r.aborted != nil {
		end = "killed: " + r.aborted.Error()
	}
	return fmt.Sprintf("+ %s\n%s%s(%s)\n", r.line, excerpt(r.out), excerpt(r.err), end)
}

// excerpt is the begin and the end of a text, with a line break behind it if it is not empty. What
// went wrong is in either.
func excerpt(text string) string {
	const first, last = 12, 28
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	if n := len(lines) - first - last; n > 0 {
		lines = slices.Concat(lines[:first], []string{fmt.Sprintf("… %d lines", n)}, lines[first+n:])
	}
	return strings.Join(lines, "\n") + "\n"
}
