// Command visits counts visitors by country.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Counter counts, but never more than its limit.
type Counter struct {
	n     atomic.Int64
	limit int64
	mu    sync.Mutex
}

// bump adds one below the limit.
func (c *Counter) bump() {
	n := c.n.Load()
	if n < c.limit {
		c.n.Store(n + 1)
	}
}

// Visit counts one visitor.
func (c *Counter) Visit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bump()
}

// Visits counts visitors by country.
type Visits struct {
	counters map[string]*Counter
}

// NewVisits returns counters for some countries.
func NewVisits(limit int64, countries ...string) *Visits {
	v := &Visits{counters: make(map[string]*Counter)}
	for _, country := range countries {
		v.counters[country] = &Counter{limit: limit}
	}
	return v
}

// From counts a visitor from a country.
func (v *Visits) From(country string) {
	if c := v.counters[country]; c != nil {
		c.Visit()
	}
}

func main() {
	visits := NewVisits(1000, "at")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { visits.From("at") })
	}
	wg.Wait()
	fmt.Println("at least one:", visits.counters["at"].n.Load() > 0)
}
