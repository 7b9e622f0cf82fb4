// A registry of services, with a count for the health page.
package main

import (
	"fmt"
	"sync"
	"time"
)

type registry struct {
	mu       sync.RWMutex
	services map[string]int
}

func (r *registry) Count() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.services)
}

func (r *registry) Describe() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	text := ""
	for s := range r.services {
		text += s + " "
	}
	return fmt.Sprint(text, "of ", len(r.services))
}

func (r *registry) Register(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.services[s]++
}

func main() {
	r := &registry{services: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			r.Register(fmt.Sprint("service", i))
			time.Sleep(time.Millisecond)
		}
	})
	wg.Go(func() {
		time.Sleep(10 * time.Millisecond)
		fmt.Println(r.Describe())
	})
	wg.Wait()
}
