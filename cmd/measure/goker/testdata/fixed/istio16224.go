// The handler does not hold the lock while it tells that the event came.
package main

import "sync"

func main() {
	events, done := make(chan int), make(chan bool)
	stop, stopped := make(chan struct{}), make(chan struct{})
	var lock sync.Mutex
	seen := 0
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-events:
				lock.Lock()
				seen++
				lock.Unlock()
				done <- true
			}
		}
	}()
	events <- 0
	lock.Lock()
	_ = seen
	lock.Unlock()
	<-done
	close(stop)
	<-stopped
}
