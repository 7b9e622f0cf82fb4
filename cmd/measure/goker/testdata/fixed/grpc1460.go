// The lock is released before the first stream is awaited, and who opens it leaves a note.
package main

import (
	"sync"
	"time"
)

type client struct {
	mu      sync.Mutex
	awake   chan struct{}
	streams int
}

func (c *client) keepalive() {
	c.mu.Lock()
	idle := c.streams == 0
	c.mu.Unlock()
	if idle {
		<-c.awake
	}
}

func (c *client) open() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams++
	if c.streams == 1 {
		select {
		case c.awake <- struct{}{}:
		default:
		}
	}
}

func main() {
	c := &client{awake: make(chan struct{}, 1)}
	go c.keepalive()
	go c.open()
	time.Sleep(100 * time.Millisecond)
}
