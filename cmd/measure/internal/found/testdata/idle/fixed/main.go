// A connection that is closed when it is idle for too long.
package main

import (
	"fmt"
	"time"
)

type conn struct {
	requests chan string
	timeout  time.Duration
	idle     int
}

func (c *conn) serve() {
	t := time.NewTimer(c.timeout)
	for {
		select {
		case r, ok := <-c.requests:
			if !ok {
				return
			}
			t.Stop()
			fmt.Println("serve", r)
			t.Reset(c.timeout)
		case <-t.C:
			c.idle++
			fmt.Println("idle")
		}
	}
}

func main() {
	c := &conn{requests: make(chan string), timeout: 50 * time.Millisecond}
	done := make(chan struct{})
	go func() {
		c.serve()
		close(done)
	}()
	for i := range 3 {
		c.requests <- fmt.Sprint(i)
		time.Sleep(time.Millisecond)
	}
	close(c.requests)
	<-done
}
