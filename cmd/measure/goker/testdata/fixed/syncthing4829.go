// Who listens is told when the lock was released.
package main

import (
	"sync"
	"time"
)

type mapping struct {
	mu        sync.RWMutex
	addresses map[string]int
}

func (m *mapping) clear() {
	m.mu.Lock()
	removed := len(m.addresses)
	clear(m.addresses)
	m.mu.Unlock()
	if removed > 0 {
		m.notify()
	}
}

func (m *mapping) notify() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.addresses)
}

type service struct {
	mu sync.RWMutex
	m  *mapping
}

func main() {
	s := &service{m: &mapping{addresses: map[string]int{"test": 0}}}
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.m.clear()
	}()
	time.Sleep(100 * time.Millisecond)
}
