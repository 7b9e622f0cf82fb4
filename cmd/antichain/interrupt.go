package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// errInterrupted is the cause of a context that the user has ended.
var errInterrupted = errors.New("interrupted")

// interruptedCode is the exit code of a program that an interrupt has ended.
const interruptedCode = 128 + int(syscall.SIGINT)

// interruptible returns a context that the first interrupt (ctrl-C) ends, or another signal of those given. A second one
// ends the process as if nobody listened. The function returned stops listening.
func interruptible(parent context.Context, signals ...os.Signal) (context.Context, func()) {
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
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		cancel(nil)
	}
}

// within does what may take any time and returns true, or false if the context ended before that; then it is
// still being done. A panic goes on here.
func within(ctx context.Context, do func()) bool {
	done := make(chan string, 1) // a panic, with its stack
	go func() {
		defer func() {
			bug := ""
			if v := recover(); v != nil {
				bug = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
			done <- bug
		}()
		do()
	}()
	select {
	case bug := <-done:
		if bug != "" {
			panic(bug)
		}
		return true
	case <-ctx.Done():
		return false
	}
}
