package satisfiability

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
)

// TestInterruptOfReadingFormulas ends the reading of a formula that is still being written.
func TestInterruptOfReadingFormulas(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&CTLQuestion{File: pipe}).formula(ctx); !errors.Is(err, interrupt.Err) {
		t.Error(err)
	}
}
