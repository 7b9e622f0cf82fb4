// Command lazyclient connects to its backend when it is first needed.
package main

import (
	"fmt"
	"sync"
	"time"
)

// A conn is a connection to the backend.
type conn struct {
	address string
	opened  time.Time
}

func dial(address string) *conn {
	return &conn{address: address, opened: time.Now()}
}

func (c *conn) call(method string) string {
	return c.address + "/" + method
}

// Client makes calls.
type Client struct {
	address string

	mu   sync.Mutex
	conn *conn
}

// connection returns the connection, and opens it if there is none yet.
func (c *Client) connection() *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		c.conn = dial(c.address)
	}
	return c.conn
}

// Call calls a method of the backend.
func (c *Client) Call(method string) string {
	return c.connection().call(method)
}

func main() {
	client := &Client{address: "backend:4000"}
	methods := []string{"list", "get", "watch"}
	results := make(chan string, len(methods))
	for _, method := range methods {
		go func() { results <- client.Call(method) }()
	}
	for range methods {
		fmt.Println(<-results)
	}
}
