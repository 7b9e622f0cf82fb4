// The lock is released also if the connection is closed.
package main

import "sync"

type client struct {
	mu     sync.RWMutex
	cancel func()
}

func (c *client) acquire(remote *sync.Mutex) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	remote.Lock()
	remote.Unlock()
	return c.cancel != nil
}

func (c *client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = nil
}

func main() {
	c, done := new(client), make(chan struct{})
	go func() {
		defer close(done)
		c.acquire(new(sync.Mutex))
	}()
	c.close()
	<-done
}
