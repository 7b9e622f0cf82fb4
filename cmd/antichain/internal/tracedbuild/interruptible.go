package tracedbuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
)

// Interruptible makes a build that an interrupt ends, with what it has started. What it has made
// for later builds stays.
func Interruptible(ctx context.Context, stderr io.Writer, build func(context.Context) error) error {
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	err := build(ctx)
	if errors.Is(context.Cause(ctx), interrupt.Err) {
		fmt.Fprintln(stderr, "antichain: interrupted while the traced program was built; nothing was checked")
		return exit.Code(interrupt.ExitCode)
	}
	return err
}
