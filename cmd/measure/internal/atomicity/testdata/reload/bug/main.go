// Command reload has a configuration that is read again while the program uses it.
//
// Bug: host and port are read in two critical sections. They can be of two configurations.
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

// Host returns the host.
func (c *Config) Host() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.host
}

// Port returns the port.
func (c *Config) Port() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.port
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
	address := lookup(c.Host())
	return fmt.Sprint(address, ":", c.Port())
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
