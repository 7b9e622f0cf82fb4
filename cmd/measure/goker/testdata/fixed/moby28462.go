// The monitor is stopped by closing its channel, for which nobody waits.
package main

import (
	"sync"
	"time"
)

type container struct {
	sync.Mutex
	stop   chan struct{}
	probes int
}

func (c *container) monitor() {
	for {
		select {
		case <-c.stop:
			return
		default:
			c.Lock()
			c.probes++
			c.Unlock()
		}
	}
}

func (c *container) changed() {
	c.Lock()
	defer c.Unlock()
	close(c.stop)
}

func main() {
	c := &container{stop: make(chan struct{})}
	go c.monitor()
	go c.changed()
	time.Sleep(100 * time.Millisecond)
}
