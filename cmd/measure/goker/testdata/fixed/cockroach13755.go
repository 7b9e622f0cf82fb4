// The rows are closed.
package main

import (
	"context"
	"time"
)

type rows struct{ cancel context.CancelFunc }

func (r *rows) begin(ctx context.Context) {
	ctx, r.cancel = context.WithCancel(ctx)
	go r.await(ctx)
}

func (r *rows) await(ctx context.Context) {
	<-ctx.Done()
	r.cancel()
}

func main() {
	r := new(rows)
	r.begin(context.Background())
	defer time.Sleep(100 * time.Millisecond)
	defer r.cancel()
}
