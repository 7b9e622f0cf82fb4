// Two wait for a resource, and one of them gives up.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/puddle"
)

func main() {
	pool := puddle.NewPool(func(context.Context) (interface{}, error) { return 1, nil }, func(interface{}) {}, 1)
	res, err := pool.Acquire(context.Background())
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			defer cancel()
			res, err := pool.Acquire(ctx)
			fmt.Println("acquired:", err == nil)
			if err == nil {
				res.Release()
			}
		}()
	}
	time.Sleep(20 * time.Millisecond)
	res.Release()
	wg.Wait()
	pool.Close()
}
