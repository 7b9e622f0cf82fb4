// Each waiting goroutine is counted under the lock under which it is woken.
package main

import (
	"sync"
	"time"
)

var (
	mu      sync.Mutex
	waiting int
	wake    = make(chan struct{})
)

func wait() {
	mu.Lock()
	waiting++
	mu.Unlock()
	<-wake
}

func broadcast() {
	mu.Lock()
	for ; waiting > 0; waiting-- {
		wake <- struct{}{}
	}
	mu.Unlock()
}

func main() {
	woken := make(chan struct{})
	go func() {
		defer close(woken)
		wait()
	}()
	for {
		time.Sleep(5 * time.Millisecond)
		broadcast()
		select {
		case <-woken:
			return
		default:
		}
	}
}
