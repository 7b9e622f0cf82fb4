package execution

import (
	"context"
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/launch"
)

// RunWaiting runs a program that waits for a checker, which is another process, and passes its
// exit code on. attach returns the command that starts the checker of a process.
func RunWaiting(ctx context.Context, s terminal.Streams, binary string, args []string, attach func(pid int) string) error {
	run, err := launch.StartWaiting(ctx, launch.Config{
		Binary: binary, Args: args, Stdin: terminal.FileOf(s.In), Stdout: terminal.FileOf(s.Out), Stderr: terminal.FileOf(s.Err),
	})
	if err != nil {
		return err
	}
	if comesToWait(run) {
		fmt.Fprintf(s.Err, "antichain: to check it, type in another terminal: %s\n", attach(run.PID()))
	}
	ended, err := run.Wait()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "antichain: exit code %d is the program's own\n", ended.ExitCode)
	if ended.ExitCode == exit.Holds {
		return nil
	}
	return exit.Code(ended.ExitCode)
}

// comesToWait returns when a program waits for a checker, and can be attached to; false if it ends
// without.
func comesToWait(run *launch.Run) bool {
	for {
		if _, err := control.Find(run.PID()); err == nil {
			return true
		}
		select {
		case <-run.Exited():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}
