// A group of tasks with a bounded number of workers and a queue.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

type group struct {
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	once    sync.Once
	err     error
	max     int
	queue   chan func() error
	mu      sync.Mutex
	workers int
	done    <-chan struct{}
}

func withContext(ctx context.Context, max, queue int) (*group, context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	return &group{cancel: cancel, done: ctx.Done(), max: max, queue: make(chan func() error, queue)}, ctx
}

// Go runs f in a worker: a new one if there may be more, else one takes it from the queue.
func (g *group) Go(f func() error) {
	g.mu.Lock()
	if g.workers < g.max {
		g.start(f)
		g.mu.Unlock()
		return
	}
	g.mu.Unlock()
	select {
	case g.queue <- f:
	case <-g.done: // a task has failed: f is not wanted
	}
}

func (g *group) start(f func() error) {
	g.workers++
	g.wg.Add(1)
	go func() {
		defer g.end()
		for {
			if err := f(); err != nil {
				g.fail(err)
				return
			}
			var ok bool
			if f, ok = <-g.queue; !ok {
				return
			}
		}
	}()
}

func (g *group) end() {
	g.mu.Lock()
	g.workers--
	g.mu.Unlock()
	g.wg.Done()
}

func (g *group) fail(err error) {
	g.once.Do(func() {
		g.err = err
		g.cancel()
	})
}

func (g *group) Wait() error {
	close(g.queue)
	g.wg.Wait()
	g.cancel()
	return g.err
}

func main() {
	g, ctx := withContext(context.Background(), 1, 1)
	ok := func() error { return nil }
	g.Go(ok)
	g.Go(ok)
	g.Go(func() error { return errors.New("sample") })
	for range 3 {
		g.Go(ok)
	}
	fmt.Println(g.Wait(), ctx.Err())
}
