// A group of workers with a queue; tasks may start further tasks.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type group struct {
	wg      sync.WaitGroup
	mu      sync.Mutex // guards queue
	queue   chan func()
	workers int
	max     int
	closed  bool
}

func (g *group) Go(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed { // it comes to its end: nothing more is taken
		return
	}
	if g.queue == nil {
		g.queue = make(chan func(), 8)
	}
	if g.workers < g.max {
		g.workers++
		g.wg.Add(1)
		go func() {
			defer g.wg.Done()
			f()
			for f := range g.queue {
				f()
			}
		}()
		return
	}
	g.queue <- f
}

func (g *group) Wait() {
	g.mu.Lock()
	if g.queue != nil && !g.closed {
		g.closed = true
		close(g.queue)
	}
	g.mu.Unlock()
	g.wg.Wait()
}

func main() {
	g := &group{max: 2}
	var n atomic.Int64
	g.Go(func() { // a dispatcher
		for range 3 {
			g.Go(func() { n.Add(1) })
			time.Sleep(time.Millisecond)
		}
	})
	time.Sleep(20 * time.Millisecond) // until a signal comes
	g.Wait()
	fmt.Println(n.Load())
}
