// The lock is released before the end of the other goroutine is awaited.
package main

import (
	"sync"
	"time"
)

type broadcasts struct {
	mu      sync.Mutex
	n       int
	updates chan int
	done    chan struct{}
}

func (b *broadcasts) coalesce() {
	defer close(b.done)
	for n := range b.updates {
		b.mu.Lock()
		b.n += n
		b.mu.Unlock()
	}
}

func (b *broadcasts) stop() {
	b.mu.Lock()
	close(b.updates)
	b.mu.Unlock()
	<-b.done
}

func main() {
	b := &broadcasts{updates: make(chan int, 1), done: make(chan struct{})}
	go b.coalesce()
	b.updates <- 1
	go b.stop()
	time.Sleep(100 * time.Millisecond)
}
