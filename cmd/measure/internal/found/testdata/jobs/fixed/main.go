// A pool of workers that can be stopped.
package main

import (
	"fmt"
	"sync"
	"time"
)

type pool struct {
	jobs chan func()
	quit chan struct{}
	wg   sync.WaitGroup
}

func newPool(n int) *pool {
	p := &pool{jobs: make(chan func()), quit: make(chan struct{})}
	for range n {
		p.wg.Add(1)
		go p.work()
	}
	return p
}

func (p *pool) work() {
	defer p.wg.Done()
	for {
		select {
		case f := <-p.jobs:
			f()
		case <-p.quit:
			return
		}
	}
}

func (p *pool) Submit(f func()) bool {
	select {
	case <-p.quit:
		return false
	default:
	}
	select {
	case p.jobs <- f:
		return true
	case <-p.quit:
		return false
	}
}

func (p *pool) Stop() {
	close(p.quit)
	p.wg.Wait()
}

func main() {
	p := newPool(2)
	var clients sync.WaitGroup
	for i := range 3 {
		clients.Go(func() {
			time.Sleep(time.Duration(i) * time.Millisecond)
			p.Submit(func() { fmt.Println("job", i) })
		})
	}
	time.Sleep(20 * time.Millisecond) // until a signal comes
	p.Stop()
	clients.Wait()
}
