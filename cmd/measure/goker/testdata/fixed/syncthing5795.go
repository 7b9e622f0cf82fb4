// Who handles a message closes the connection in another goroutine, since the handler itself must end first.
package main

import (
	"sync"
	"time"
)

type connection struct {
	inbox           chan int
	closed, stopped chan struct{}
	once            sync.Once
}

func (c *connection) dispatch() {
	defer close(c.stopped)
	for {
		select {
		case <-c.inbox:
			go c.close()
		case <-c.closed:
			return
		}
	}
}

func (c *connection) close() {
	c.once.Do(func() {
		close(c.closed)
		<-c.stopped
	})
}

func main() {
	c := &connection{inbox: make(chan int), closed: make(chan struct{}), stopped: make(chan struct{})}
	go c.dispatch()
	c.inbox <- 1
	<-c.stopped
	time.Sleep(10 * time.Millisecond)
}
