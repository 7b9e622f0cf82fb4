// The program is stopped while tasks of a group are queued.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/alitto/pond/v2"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	pool := pond.NewPool(1, pond.WithContext(ctx))
	group := pool.NewGroup()
	for range 3 {
		group.Submit(func() { time.Sleep(20 * time.Millisecond) })
	}
	time.AfterFunc(30*time.Millisecond, cancel)
	fmt.Println("wait:", group.Wait())
	pool.StopAndWait()
}
