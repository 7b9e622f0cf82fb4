// Command idleconn closes connections that nobody has used for a while.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Conn is a connection that becomes idle.
type Conn struct {
	mu    sync.Mutex
	idle  bool
	sent  int
	timer *time.Timer
}

// NewConn returns a connection that is idle after this time without a use.
func NewConn(timeout time.Duration) *Conn {
	c := new(Conn)
	c.timer = time.AfterFunc(timeout, c.expire)
	return c
}

// expire is called by the timer.
func (c *Conn) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = true
}

// Send sends something, if the connection is not idle.
func (c *Conn) Send(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle {
		return false
	}
	c.sent += n
	return true
}

// Stats returns what was sent and whether the connection is idle.
func (c *Conn) Stats() (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent, c.idle
}

func main() {
	c := NewConn(5 * time.Millisecond)
	for i := range 3 {
		c.Send(i)
		time.Sleep(time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond)
	sent, idle := c.Stats()
	fmt.Println("sent:", sent, "idle:", idle)
}
