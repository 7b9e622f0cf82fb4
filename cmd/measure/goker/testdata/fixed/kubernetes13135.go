// The event is passed on when the lock of the watch cache was released.
package main

import (
	"sync"
	"time"
)

type cacher struct {
	mu     sync.Mutex
	events int
}

type watchCache struct {
	sync.RWMutex
	onEvent func()
}

func (w *watchCache) add() {
	w.RLock()
	onEvent := w.onEvent
	w.RUnlock()
	onEvent()
}

func (w *watchCache) replace() {
	w.Lock()
	defer w.Unlock()
}

func main() {
	c, w := new(cacher), new(watchCache)
	w.onEvent = func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.events++
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			c.mu.Lock()
			w.replace()
			c.mu.Unlock()
		}
	}()
	go w.add()
	time.Sleep(time.Millisecond)
	close(stop)
	time.Sleep(100 * time.Millisecond)
}
