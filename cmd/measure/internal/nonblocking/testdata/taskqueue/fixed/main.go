// Command taskqueue runs tasks in the background until it is closed.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrClosed is what Submit returns after Close.
var ErrClosed = errors.New("queue is closed")

// Queue runs tasks one after the other.
type Queue struct {
	mu     sync.Mutex
	closed bool
	tasks  chan func()
	done   chan struct{}
}

// NewQueue returns a queue that takes tasks.
func NewQueue() *Queue {
	q := &Queue{tasks: make(chan func(), 16), done: make(chan struct{})}
	go q.run()
	return q
}

func (q *Queue) run() {
	defer close(q.done)
	for task := range q.tasks {
		task()
	}
}

// Submit hands in a task.
func (q *Queue) Submit(task func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	closed := q.closed
	if closed {
		return ErrClosed
	}
	q.tasks <- task
	return nil
}

// Close lets the queue run what it has, and waits for that.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	close(q.tasks)
	q.mu.Unlock()
	<-q.done
}

func main() {
	q := NewQueue()
	submitted := make(chan error)
	for id := range 3 {
		go func() {
			submitted <- q.Submit(func() { fmt.Println("task", id) })
		}()
	}
	time.Sleep(time.Millisecond) // until somebody has had enough
	q.Close()
	for range 3 {
		if err := <-submitted; err != nil {
			fmt.Println(err)
		}
	}
}
