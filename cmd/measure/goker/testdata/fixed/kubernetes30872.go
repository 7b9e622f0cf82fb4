// Whether the queue is in step is asked without the lock of the informer.
package main

import (
	"sync"
	"time"
)

type informer struct {
	mu       sync.Mutex
	clusters int
	queue    *queue
}

type queue struct {
	mu   sync.Mutex
	left int
}

func (i *informer) synced() bool {
	i.mu.Lock()
	q := i.queue
	i.mu.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.left == 0
}

func (i *informer) addCluster() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clusters++
}

func (q *queue) pop(process func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.left--
	process()
}

func main() {
	i := &informer{queue: &queue{left: 20}}
	go func() {
		for range 20 {
			i.queue.pop(i.addCluster)
		}
	}()
	go i.synced()
	time.Sleep(100 * time.Millisecond)
}
