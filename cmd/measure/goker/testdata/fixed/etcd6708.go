// The leader is asked before the client is locked.
package main

import (
	"sync"
	"time"
)

type cluster struct {
	sync.RWMutex
	endpoints int
}

func (c *cluster) do() int {
	c.RLock()
	defer c.RUnlock()
	return c.endpoints
}

func (c *cluster) sync() {
	leader := c.do()
	c.Lock()
	defer c.Unlock()
	c.endpoints = leader + 1
}

func main() {
	go new(cluster).sync()
	time.Sleep(100 * time.Millisecond)
}
