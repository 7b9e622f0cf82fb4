// Events of a watcher that was stopped are not sent.
package main

import (
	"sync"
	"time"
)

type watcher struct {
	mu      sync.Mutex
	stopped bool
	result  chan int
	done    chan struct{}
}

func (w *watcher) process(events []int) {
	defer close(w.result)
	for _, e := range events {
		select {
		case w.result <- e:
		case <-w.done:
			return
		}
	}
}

func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.stopped = true
		close(w.done)
	}
}

func main() {
	w := &watcher{result: make(chan int), done: make(chan struct{})}
	go w.process([]int{1, 2})
	w.stop()
	w.stop()
	time.Sleep(100 * time.Millisecond)
}
