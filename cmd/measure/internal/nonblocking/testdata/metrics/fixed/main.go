// Command metrics counts events by name.
package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Counter goes up.
type Counter struct{ n atomic.Int64 }

// Inc adds one.
func (c *Counter) Inc() { c.n.Add(1) }

// Registry has counters by name.
type Registry struct {
	mu       sync.Mutex
	counters map[string]*Counter
}

// Counter returns the counter with a name, a new one if there is none.
func (r *Registry) Counter(name string) *Counter {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.counters[name]
	if !ok {
		c = new(Counter)
		r.counters[name] = c
	}
	return c
}

// Export returns all counters, one a line.
func (r *Registry) Export() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for name, c := range r.counters {
		lines = append(lines, fmt.Sprintf("%s %d", name, c.n.Load()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func main() {
	registry := &Registry{counters: make(map[string]*Counter)}
	var workers sync.WaitGroup
	for _, name := range []string{"requests", "errors", "requests"} {
		workers.Go(func() {
			registry.Counter(name).Inc()
		})
	}
	workers.Wait()
	fmt.Println(registry.Export())
}
