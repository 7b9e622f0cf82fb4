// Each waiting goroutine is counted under the lock under which it is woken, and takes it again
// before it waits.
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
	mu.Lock() // to look how many there are
	n := waiting
	mu.Unlock()
	println(n)
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
