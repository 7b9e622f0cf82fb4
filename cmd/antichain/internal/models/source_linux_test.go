package models

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
)

// TestInterruptOfSource ends the reading of models that are still being written.
func TestInterruptOfSource(t *testing.T) {
	in, never, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	if _, err := (&Source{File: "-"}).Read(ctx, in); !errors.Is(err, interrupt.Err) {
		t.Error(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Source{File: pipe}).Read(ctx, nil); !errors.Is(err, interrupt.Err) {
		t.Error(err)
	}
}
