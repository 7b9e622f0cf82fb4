// A message is sent in one critical section, and its channel is closed in another one.
package main

import (
	"sync"
	"time"
)

var mu sync.Mutex

func main() {
	messages := make(chan int, 4)
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		messages <- 1
		mu.Unlock()
	})
	time.Sleep(5 * time.Millisecond)
	mu.Lock()
	close(messages)
	mu.Unlock()
	wg.Wait()
}
