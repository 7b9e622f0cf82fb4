// A client that connects when it is first used, and may be closed at any time.
package main

import (
	"fmt"
	"sync"
	"time"
)

type client struct {
	once sync.Once
	mu   sync.Mutex
	conn string
}

func (c *client) connect() {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.conn = "connection"
	})
}

func (c *client) Send(s string) {
	c.connect()
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Println(c.conn, s)
}

func (c *client) Ping() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connect()
	fmt.Println("ping")
}

func main() {
	c := &client{}
	var wg sync.WaitGroup
	wg.Go(func() { c.Send("hello") })
	wg.Go(func() {
		time.Sleep(5 * time.Millisecond)
		c.Ping()
	})
	wg.Wait()
}
