// The program is stopped while tasks are queued.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/alitto/pond"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	pool := pond.New(1, 5, pond.Context(ctx))
	for range 3 {
		pool.Submit(func() {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		})
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	<-ctx.Done()
	pool.StopAndWait()
	fmt.Println("stopped")
}
