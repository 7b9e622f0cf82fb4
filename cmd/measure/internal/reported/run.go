//go:build unix

package reported

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Limits are the time that a program has, and then the time that its check has once it was told to end.
type Limits struct{ Program, Check time.Duration }

// Finish runs a command and returns what it writes. Out of time it is interrupted, then killed with
// all that it has started. How it exits does not matter.
func Finish(ctx context.Context, cmd *exec.Cmd, l Limits) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	err := await(ctx, cmd, ended, l)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return out.Bytes(), err
}

// await waits for the end of a command.
func await(ctx context.Context, cmd *exec.Cmd, ended <-chan error, l Limits) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	case <-time.After(l.Program):
		cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		case <-time.After(l.Check):
		}
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("not ended %v after it was interrupted", l.Check)
}
