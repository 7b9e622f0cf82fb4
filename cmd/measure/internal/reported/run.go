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

// Limits are the time for a program, and then the time for its check after the interrupt.
type Limits struct{ Program, Check time.Duration }

// Finish runs a command and returns its output. When the time is over, it interrupts the command,
// and finally kills it with all its children. The exit code is ignored.
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
