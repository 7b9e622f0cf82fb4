// A message is sent in one critical section, and its channel is closed in another one, which sets
// a flag.
package main

import (
	"sync"
	"time"
)

var (
	mu     sync.Mutex
	closed bool
)

func main() {
	messages := make(chan int, 4)
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		if !closed {
			messages <- 1
		}
		mu.Unlock()
	})
	time.Sleep(5 * time.Millisecond)
	mu.Lock()
	closed = true
	close(messages)
	mu.Unlock()
	wg.Wait()
}
