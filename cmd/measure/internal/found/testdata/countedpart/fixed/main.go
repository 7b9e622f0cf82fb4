// A task that needs a lock is waited for, and then the lock is taken. The task counts a part of
// its work, too.
package main

import (
	"sync"
	"time"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		wg.Add(1)
		wg.Done()
		mu.Unlock()
	}()
	time.Sleep(10 * time.Millisecond)
	wg.Wait()
	mu.Lock()
	mu.Unlock()
}
