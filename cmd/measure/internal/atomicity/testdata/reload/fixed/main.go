// Command reload has a configuration that is read again while the program uses it.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Config is where the server is.
type Config struct {
	mu   sync.RWMutex
	host string
	port int
}

func (c *Config) apply(host string, port int) {
	c.host, c.port = host, port
}

// Reload takes over a new configuration.
func (c *Config) Reload(host string, port int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.apply(host, port)
}

// lookup finds the address of a host.
func lookup(host string) string {
	return "[" + host + "]"
}

// connect connects to the server.
func connect(c *Config) string {
	c.mu.RLock()
	host, port := lookup(c.host), c.port
	c.mu.RUnlock()
	return fmt.Sprint(host, ":", port)
}

func main() {
	c := &Config{host: "old", port: 1}
	var wg sync.WaitGroup
	var to string
	wg.Go(func() { to = connect(c) })
	wg.Go(func() {
		time.Sleep(50 * time.Millisecond)
		c.Reload("new", 2)
	})
	wg.Wait()
	fmt.Println("connected to", to)
	if to != "[old]:1" && to != "[new]:2" {
		os.Exit(1)
	}
}
