// Tokens are handed over without the lock that deletes them.
package main

import (
	"sync"
	"time"
)

type keeper struct {
	mu      sync.Mutex
	granted int
	added   chan struct{}
	stop    chan chan struct{}
}

func (k *keeper) run() {
	tick := time.NewTicker(time.Microsecond)
	defer tick.Stop()
	for {
		select {
		case <-k.added:
		case <-tick.C:
			k.mu.Lock()
			k.granted = 0
			k.mu.Unlock()
		case stopped := <-k.stop:
			stopped <- struct{}{}
			return
		}
	}
}

func (k *keeper) assign() {
	k.mu.Lock()
	k.granted++
	k.mu.Unlock()
	k.added <- struct{}{}
}

func main() {
	k := &keeper{added: make(chan struct{}, 1), stop: make(chan chan struct{})}
	go k.run()
	var users sync.WaitGroup
	for range 3 {
		users.Go(k.assign)
	}
	users.Wait()
	stopped := make(chan struct{})
	k.stop <- stopped
	<-stopped
}
