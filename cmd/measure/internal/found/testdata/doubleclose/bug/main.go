// An agent can be closed by two goroutines. A flag says that it is closed.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type agent struct {
	closed atomic.Bool
	die    chan struct{}
}

func (a *agent) Close() {
	if a.closed.Load() {
		return
	}
	a.closed.Store(true)
	close(a.die)
}

func main() {
	a := &agent{die: make(chan struct{})}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * time.Millisecond)
			a.Close()
		})
	}
	wg.Wait()
}
