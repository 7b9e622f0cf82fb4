// A bounded queue with one condition for both sides.
package main

import (
	"fmt"
	"sync"
	"time"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	max   int
}

func newQueue(max int) *queue {
	q := &queue{max: max}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue) Put(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == q.max {
		q.cond.Wait()
	}
	q.items = append(q.items, x)
	q.cond.Broadcast()
}

func (q *queue) Get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	x := q.items[0]
	q.items = q.items[1:]
	q.cond.Broadcast()
	return x
}

func main() {
	q := newQueue(1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for range 3 {
				q.Put(i)
			}
		})
		wg.Go(func() {
			sum := 0
			for range 3 {
				sum += q.Get()
				time.Sleep(time.Millisecond)
			}
			fmt.Println(sum)
		})
	}
	wg.Wait()
}
