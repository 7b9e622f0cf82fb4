// A producer finds the queue full and then waits for a signal. The worker signals only if another
// goroutine waits already.
package main

import (
	"fmt"
	"sync"
	"time"
)

type queue struct {
	mu    sync.Mutex
	items int
	room  chan struct{}
}

func (q *queue) put() {
	for {
		q.mu.Lock()
		if q.items < 1 {
			q.items++
			q.mu.Unlock()
			return
		}
		q.mu.Unlock()
		<-q.room
	}
}

func (q *queue) take() {
	q.mu.Lock()
	q.items--
	q.mu.Unlock()
	select {
	case q.room <- struct{}{}:
	default:
	}
}

func main() {
	q := &queue{room: make(chan struct{})}
	q.put()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		q.put()
	}()
	time.Sleep(50 * time.Millisecond)
	q.take()
	wg.Wait()
	fmt.Println("done")
}
