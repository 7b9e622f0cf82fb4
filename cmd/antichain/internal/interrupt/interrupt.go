// Package interrupt cancels work when the user presses ctrl-C.
//
// It also stops reads and other calls that may block for any time when their context ends.
package interrupt

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/internal/budget"
)

// Err is the cause of a context that the user has ended.
var Err = errors.New("interrupted")

// ExitCode is the exit code of a program that an interrupt has ended.
const ExitCode = 128 + int(syscall.SIGINT)

// Context returns a context that the first interrupt (ctrl-C) ends, or another signal of those
// given. A second one ends the process as usual. The function returned stops listening.
func Context(parent context.Context, signals ...os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	c := make(chan os.Signal, 1)
	for _, s := range append(signals, os.Interrupt) {
		if !signal.Ignored(s) { // as for a job in the background: it stays so
			signal.Notify(c, s)
		}
	}
	go func() {
		select {
		case <-c:
			signal.Stop(c)
			cancel(Err)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		cancel(nil)
	}
}

// Do is budget.Do.
func Do(ctx context.Context, do func()) bool { return budget.Do(ctx, do) }

// LastWork is the time that an interrupt gives to the check in progress.
const LastWork = 2 * time.Second

// After returns a context that ends some time after the parent if an interrupt ends that, else
// together with it.
func After(parent context.Context, grace time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		cause := context.Cause(parent)
		if !errors.Is(cause, Err) {
			grace = 0
		}
		time.AfterFunc(grace, func() { cancel(cause) })
	})
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
