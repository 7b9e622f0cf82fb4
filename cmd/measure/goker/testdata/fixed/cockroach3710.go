// What is called with the store locked for reading does not lock it.
package main

import (
	"sync"
	"time"
)

type store struct {
	mu       sync.RWMutex
	queueMu  sync.Mutex
	replicas []int
	status   int
}

func (s *store) force() {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for range s.replicas {
		s.queueMu.Lock()
		_ = s.statusLocked()
		s.queueMu.Unlock()
	}
}

func (s *store) statusLocked() int { return s.status }

func (s *store) process() {
	s.mu.Lock()
	s.status++
	s.mu.Unlock()
}

func main() {
	s := &store{replicas: []int{1, 2}}
	go s.force()
	go s.process()
	time.Sleep(100 * time.Millisecond)
}
