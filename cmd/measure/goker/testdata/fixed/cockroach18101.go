// The senders see the end of the context, too.
package main

import (
	"context"
	"time"
)

func restore(ctx context.Context) {
	ready := make(chan bool, 6)
	go func() {
		defer close(ready)
		for range 8 {
			select {
			case ready <- true:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range ready {
		<-ctx.Done()
		return
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go restore(ctx)
	go cancel()
	time.Sleep(100 * time.Millisecond)
}
