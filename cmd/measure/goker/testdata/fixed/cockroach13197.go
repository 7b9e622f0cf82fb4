// The transaction is rolled back, which cancels its context.
package main

import (
	"context"
	"time"
)

type tx struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func begin(ctx context.Context) *tx {
	ctx, cancel := context.WithCancel(ctx)
	t := &tx{ctx, cancel}
	go t.await()
	return t
}

func (t *tx) await() { <-t.ctx.Done() }

func main() {
	t := begin(context.Background())
	t.cancel()
	time.Sleep(100 * time.Millisecond)
}
