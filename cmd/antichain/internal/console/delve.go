package console

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
)

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
