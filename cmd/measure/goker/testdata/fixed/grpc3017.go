// The lock is released also if nothing is deleted.
package main

import (
	"sync"
	"time"
)

type cache struct {
	mu     sync.Mutex
	abort  bool
	timer  *time.Timer
	cached bool
}

func (c *cache) remove() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cached, c.abort = true, false
	c.timer = time.AfterFunc(time.Microsecond, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.abort {
			c.cached = false
		}
	})
}

func (c *cache) create() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cached && !c.timer.Stop() {
		c.abort = true
	}
	c.cached = false
}

func main() {
	c, done := new(cache), make(chan struct{})
	go func() {
		for range 100 {
			c.remove()
			c.create()
		}
		close(done)
	}()
	<-done
	time.Sleep(10 * time.Millisecond)
}
