// A pool of resources; a goroutine that waits for one can give up.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type resource struct{ id int }

type pool struct {
	cond     *sync.Cond
	idle     []*resource
	all      int
	max      int
	canceled int
}

func newPool(max int) *pool { return &pool{cond: sync.NewCond(new(sync.Mutex)), max: max} }

func (p *pool) Acquire(ctx context.Context) (*resource, error) {
	p.cond.L.Lock()
	for {
		if n := len(p.idle); n > 0 {
			r := p.idle[n-1]
			p.idle = p.idle[:n-1]
			p.cond.L.Unlock()
			return r, nil
		}
		if p.all < p.max {
			p.all++
			r := &resource{p.all}
			p.cond.L.Unlock()
			return r, nil
		}
		woken := make(chan struct{}, 1)
		go func() { // waits with the lock of its parent
			p.cond.Wait()
			woken <- struct{}{}
		}()
		select {
		case <-ctx.Done():
			go func() { // hands the signal on
				<-woken
				p.cond.Signal()
				p.cond.L.Unlock()
			}()
			p.cond.L.Lock()
			p.canceled++
			p.cond.L.Unlock()
			return nil, ctx.Err()
		case <-woken:
		}
	}
}

func (p *pool) Release(r *resource) {
	p.cond.L.Lock()
	p.idle = append(p.idle, r)
	p.cond.L.Unlock()
	p.cond.Signal()
}

func main() {
	p := newPool(1)
	r, _ := p.Acquire(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		if r, err := p.Acquire(ctx); err == nil {
			p.Release(r)
		} else {
			fmt.Println(err)
		}
	})
	time.Sleep(20 * time.Millisecond)
	p.Release(r)
	wg.Wait()
	r, err := p.Acquire(context.Background())
	fmt.Println(r.id, err)
}
