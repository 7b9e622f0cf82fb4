// A state manager lets requests run while it serves, and waits for them when it stops.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// waiter counts requests; none may begin any more once they are waited for and none is left.
type waiter struct {
	mu      sync.Mutex
	waiting bool
	count   int
	wg      sync.WaitGroup
}

func (w *waiter) add() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting && w.count == 0 {
		return false
	}
	w.count++
	w.wg.Add(1)
	return true
}

func (w *waiter) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count--
	w.wg.Done()
}

func (w *waiter) wait() {
	w.mu.Lock()
	w.waiting = true
	w.mu.Unlock()
	w.wg.Wait()
}

type stateManager struct {
	mu       sync.Mutex
	serving  bool
	requests waiter
}

var errNotServing = errors.New("not serving")

func (s *stateManager) StartRequest(internal bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.serving && !internal { // internal ones may run while others are waited for
		return errNotServing
	}
	if !s.requests.add() {
		return errNotServing
	}
	return nil
}

func (s *stateManager) EndRequest() { s.requests.done() }

func (s *stateManager) StopServing() {
	s.mu.Lock()
	s.serving = false
	s.mu.Unlock()
	s.requests.wait()
}

func request(s *stateManager, internal bool, d time.Duration) {
	if err := s.StartRequest(internal); err != nil {
		return
	}
	defer s.EndRequest()
	time.Sleep(d)
}

func main() {
	s := &stateManager{serving: true}
	var clients sync.WaitGroup
	clients.Go(func() { request(s, false, 2*time.Millisecond) })
	clients.Go(func() {
		time.Sleep(time.Millisecond)
		request(s, true, 3*time.Millisecond) // closes a transaction
	})
	time.Sleep(1500 * time.Microsecond)
	s.StopServing()
	clients.Wait()
	fmt.Println("stopped")
}
