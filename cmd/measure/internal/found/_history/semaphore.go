// A large request gives up while a small one waits behind it.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

func main() {
	s := semaphore.NewWeighted(2)
	ctx := context.Background()
	_ = s.Acquire(ctx, 1)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		brief, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		fmt.Println("large:", s.Acquire(brief, 2))
	}()
	go func() {
		defer wg.Done()
		time.Sleep(10 * time.Millisecond)
		fmt.Println("small:", s.Acquire(ctx, 1))
	}()
	wg.Wait()
}
