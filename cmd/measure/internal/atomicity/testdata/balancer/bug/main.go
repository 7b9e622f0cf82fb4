// Command balancer sends requests to the backend that has the fewest.
//
// Bug: the backend is chosen in one critical section and its load is raised in another, so several requests go to the same one.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Balancer knows how many requests the backends have.
type Balancer struct {
	mu    sync.Mutex
	loads []int
}

func (b *Balancer) pick() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.least()
}

func (b *Balancer) least() int {
	best := 0
	for i, load := range b.loads {
		if load < b.loads[best] {
			best = i
		}
	}
	return best
}

// trace notes where a request goes.
func trace(request, backend int) {
	fmt.Printf("request %d: backend %d\n", request, backend)
}

// Assign chooses a backend for a request.
func (b *Balancer) Assign(request int) {
	backend := b.pick()
	trace(request, backend)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.loads[backend]++
}

func main() {
	b := &Balancer{loads: make([]int, 3)}
	var requests sync.WaitGroup
	for i := range 3 {
		requests.Add(1)
		go func() {
			defer requests.Done()
			time.Sleep(time.Duration(i) * 35 * time.Millisecond)
			b.Assign(i)
		}()
	}
	requests.Wait()
	for _, load := range b.loads {
		if load != 1 {
			os.Exit(1)
		}
	}
}
