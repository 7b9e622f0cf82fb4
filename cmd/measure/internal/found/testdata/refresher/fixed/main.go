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
	done      chan struct{}
}

func newCache() *cache {
	c := &cache{ticker: time.NewTicker(time.Millisecond), done: make(chan struct{})}
	go func() {
		for {
			select {
			case <-c.ticker.C:
				c.refreshed.Add(1)
			case <-c.done:
				return
			}
		}
	}()
	return c
}

func (c *cache) Close() {
	c.ticker.Stop()
	close(c.done)
}

func main() {
	c := newCache()
	time.Sleep(5 * time.Millisecond)
	c.Close()
	fmt.Println(c.refreshed.Load() >= 0)
}
