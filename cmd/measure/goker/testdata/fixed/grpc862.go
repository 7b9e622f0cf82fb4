// A connection that is not returned is closed.
package main

import (
	"context"
	"time"
)

type conn struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (c *conn) reset() {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	<-ctx.Done()
}

func dial(ctx context.Context) *conn {
	c := new(conn)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	go c.reset()
	<-ctx.Done()
	c.cancel()
	return nil
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go dial(ctx)
	go cancel()
	time.Sleep(100 * time.Millisecond)
}
