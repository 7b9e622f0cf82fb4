// The end is awaited without the lock.
package main

import (
	"sync"
	"time"
)

type listener struct {
	mu      sync.Mutex
	pending []int
}

func (l *listener) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, n)
}

func (l *listener) pop(stop <-chan struct{}) {
	l.mu.Lock()
	l.pending = nil
	l.mu.Unlock()
	<-stop
}

func main() {
	l, stop := new(listener), make(chan struct{})
	l.add(1)
	go l.pop(stop)
	locked := make(chan struct{})
	go func() {
		l.mu.Lock()
		close(locked)
	}()
	<-locked
	l.mu.Unlock()
	close(stop)
	time.Sleep(100 * time.Millisecond)
}
