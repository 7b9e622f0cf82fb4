//go:build unix

package interrupt

import (
	"context"
	"os/signal"
	"syscall"
	"testing"
)

func TestContext(t *testing.T) {
	parent, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx, stop := Context(parent, syscall.SIGUSR1)
	defer stop()
	if ctx.Err() != nil {
		t.Fatal("it has ended before the signal")
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != Err {
		t.Error(cause)
	}
}

// TestContextLeavesIgnored keeps an ignored signal ignored.
func TestContextLeavesIgnored(t *testing.T) {
	signal.Ignore(syscall.SIGUSR2)
	defer signal.Reset(syscall.SIGUSR2)
	_, stop := Context(t.Context(), syscall.SIGUSR2)
	defer stop()
	if !signal.Ignored(syscall.SIGUSR2) {
		t.Error("it is listened to")
	}
}
