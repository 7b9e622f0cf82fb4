// A session that either side may close.
package main

import (
	"fmt"
	"sync"
	"time"
)

type session struct {
	mu     sync.RWMutex
	closed bool
	done   chan struct{}
}

func (s *session) isClosed() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.closed
}

func (s *session) setClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.closed
	s.closed = true
	return !was
}

func (s *session) Close() {
	if s.isClosed() {
		return
	}
	if s.setClosed() {
		close(s.done)
	}
}

func (s *session) serve() {
	time.Sleep(2 * time.Millisecond) // the peer goes away
	s.Close()
}

func main() {
	s := &session{done: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(s.serve)
	time.Sleep(10 * time.Millisecond)
	s.Close()
	wg.Wait()
	<-s.done
	fmt.Println("closed")
}
