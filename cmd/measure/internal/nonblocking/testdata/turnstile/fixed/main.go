// Command turnstile passes items to consumers that wait for them.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Queue holds items.
type Queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	items  []string
}

// NewQueue returns an empty queue.
func NewQueue() *Queue {
	q := new(Queue)
	q.filled = sync.NewCond(&q.mu)
	return q
}

// Put adds an item.
func (q *Queue) Put(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.filled.Broadcast()
}

// Get waits for an item.
func (q *Queue) Get() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.filled.Wait()
	}
	return q.take()
}

// take returns the oldest item, under the lock. The caller has seen that there is one.
func (q *Queue) take() string {
	n := len(q.items)
	if n == 0 {
		return ""
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func main() {
	q := NewQueue()
	got := make(chan string, 2)
	for range 2 {
		go func() { got <- q.Get() }()
	}
	time.Sleep(2 * time.Millisecond)
	q.Put("first")
	time.Sleep(2 * time.Millisecond)
	q.Put("second")
	fmt.Println("got", len(<-got+<-got) > 0)
}
