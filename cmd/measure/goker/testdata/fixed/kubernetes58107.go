// A worker waits for its queue without the lock of the workers, and looks whether there is something.
package main

import "sync"

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items int
}

func newQueue() *queue {
	q := new(queue)
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue) get() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.items == 0 {
		q.cond.Wait()
	}
	q.items--
}

func (q *queue) put() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items++
	q.cond.Signal()
}

func main() {
	var workers sync.RWMutex
	queues := []*queue{newQueue(), newQueue()}
	var all sync.WaitGroup
	for _, q := range queues {
		all.Go(func() {
			for range 10 {
				q.get()
				workers.RLock()
				workers.RUnlock()
			}
		})
	}
	all.Go(func() {
		for range 10 {
			workers.Lock()
			workers.Unlock()
		}
	})
	for range 10 {
		queues[0].put()
		queues[1].put()
	}
	all.Wait()
}
