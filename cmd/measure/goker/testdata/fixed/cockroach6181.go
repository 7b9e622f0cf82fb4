// The text of the cache is made under the lock that is held.
package main

import "sync"

type cache struct {
	mu sync.RWMutex
	n  int
}

func (c *cache) lookup() {
	c.mu.RLock()
	_ = c.stringLocked()
	c.mu.RUnlock()
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

func (c *cache) stringLocked() string { return string(rune('a' + c.n)) }

func main() {
	c := new(cache)
	var all sync.WaitGroup
	for range 3 {
		all.Go(c.lookup)
	}
	all.Wait()
}
