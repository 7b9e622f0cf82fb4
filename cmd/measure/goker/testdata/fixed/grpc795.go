// A server that stops already is unlocked.
package main

import (
	"sync"
	"time"
)

type server struct {
	mu       sync.Mutex
	draining bool
}

func (s *server) stop() {
	s.mu.Lock()
	if s.draining {
		s.mu.Unlock()
		return
	}
	s.draining = true
	s.mu.Unlock()
}

func (s *server) serve() {
	s.mu.Lock()
	defer s.mu.Unlock()
}

func main() {
	s := new(server)
	go s.serve()
	for range 3 {
		s.stop()
	}
	time.Sleep(100 * time.Millisecond)
}
