package testrun

import (
	"context"
	"os"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
)

// Times of an orphan.
const (
	checkInterval = 500 * time.Millisecond // how often a process looks whether it is one
	gracePeriod   = 2 * time.Second        // for what the end of the context ends
)

// whileParentLives returns a context that ends when the process that started this one does. Soon
// after that this process ends, too: nobody waits for what it does. The function returned stops
// looking.
func whileParentLives(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			select {
			case <-time.After(checkInterval):
			case <-ctx.Done():
				return
			}
		}
		cancel()
		time.Sleep(gracePeriod)
		os.Exit(exit.Error)
	}()
	return ctx, cancel
}
