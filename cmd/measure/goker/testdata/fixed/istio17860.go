// There is room for every status.
package main

import (
	"context"
	"sync"
	"time"
)

type agent struct {
	mu     sync.Mutex
	active int
	status chan int
}

func (a *agent) run(ctx context.Context) {
	for {
		select {
		case <-a.status:
			a.mu.Lock()
			a.active--
			left := a.active
			a.mu.Unlock()
			if left == 0 {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (a *agent) restart(epoch int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active++
	go func() { a.status <- epoch }()
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &agent{status: make(chan int, 2)}
	go a.run(ctx)
	a.restart(0)
	go a.restart(1)
	time.Sleep(100 * time.Millisecond)
}
