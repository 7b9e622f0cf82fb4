package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
)

// errInterrupted is the cause of a context that the user has ended.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that the first interrupt (ctrl-C) ends. A second one ends the
// process as if nobody listened. The function returned stops listening.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	c := make(chan os.Signal, 1)
	if !signal.Ignored(os.Interrupt) { // as for a job in the background: it stays so
		signal.Notify(c, os.Interrupt)
	}
	go func() {
		select {
		case <-c:
			signal.Stop(c)
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		cancel(nil)
	}
}
