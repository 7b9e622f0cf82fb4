// Command handlers has parts that register handlers at a router, which is then frozen for speed.
package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Router finds handlers by path.
type Router struct {
	mu       sync.RWMutex
	handlers []string
	frozen   []string
}

func (r *Router) add(path string) {
	r.handlers = append(r.handlers, path)
}

func (r *Router) freeze() {
	r.frozen = slices.Sorted(slices.Values(r.handlers))
}

// Handle registers a handler.
func (r *Router) Handle(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(path)
}

// Start begins to serve.
func (r *Router) Start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freeze()
}

// Serves says whether a path has a handler.
func (r *Router) Serves(path string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Contains(r.frozen, path)
}

func main() {
	var r Router
	var parts, server sync.WaitGroup
	paths := []string{"/users", "/orders"}
	for i, path := range paths {
		parts.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			r.Handle(path)
		})
	}
	server.Go(func() {
		parts.Wait()
		r.Start()
	})
	parts.Wait()
	server.Wait()
	for _, path := range paths {
		if !r.Serves(path) {
			fmt.Println("nobody serves", path)
			os.Exit(1)
		}
	}
}
