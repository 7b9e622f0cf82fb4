// Command lrucache keeps the results of a slow look-up, and forgets the one that was not used for longest.
//
// Bug: Get holds the lock for reading only, and moves what it finds to the front of the list.
// A report has to name race: (*Cache).Get `c.clock` + (*Cache).Get `c.clock`.
package main

import (
	"fmt"
	"sync"
)

type entry struct {
	key, value string
	used       int64
}

// Cache holds a few entries.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]*entry
	clock   int64
	size    int
}

// NewCache returns an empty cache.
func NewCache(size int) *Cache {
	return &Cache{entries: make(map[string]*entry), size: size}
}

// Get returns the value of a key and whether there is one.
func (c *Cache) Get(key string) (string, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[key]
	if !ok {
		return "", false
	}
	c.clock++
	e.used = c.clock
	return e.value, true
}

// Put stores a value, in the place of the oldest if there are too many.
func (c *Cache) Put(key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= c.size {
		c.evict()
	}
	c.clock++
	c.entries[key] = &entry{key, value, c.clock}
}

func (c *Cache) evict() {
	var oldest *entry
	for _, e := range c.entries {
		if oldest == nil || e.used < oldest.used {
			oldest = e
		}
	}
	delete(c.entries, oldest.key)
}

func main() {
	cache := NewCache(2)
	cache.Put("de", "Berlin")
	cache.Put("fr", "Paris")
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for _, key := range []string{"fr", "it"} {
				if value, ok := cache.Get(key); ok {
					fmt.Println(key, value)
				}
			}
		})
	}
	readers.Wait()
	cache.Put("it", "Rome")
}
