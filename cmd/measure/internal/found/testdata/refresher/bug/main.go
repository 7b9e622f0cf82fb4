// A cache that is refreshed at times.
package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

type cache struct {
	refreshed atomic.Int64
	ticker    *time.Ticker
}

func newCache() *cache {
	c := &cache{ticker: time.NewTicker(time.Millisecond)}
	go func() {
		for range c.ticker.C {
			c.refreshed.Add(1)
		}
	}()
	return c
}

func (c *cache) Close() { c.ticker.Stop() }

func main() {
	c := newCache()
	time.Sleep(5 * time.Millisecond)
	c.Close()
	fmt.Println(c.refreshed.Load() >= 0)
}
