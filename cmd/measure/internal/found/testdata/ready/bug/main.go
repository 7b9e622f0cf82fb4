// A server that says when it is ready.
package main

import (
	"fmt"
	"sync"
	"time"
)

type server struct {
	ready chan struct{}
	mu    sync.Mutex
	addr  string
}

func (s *server) run() {
	s.mu.Lock()
	s.addr = "localhost"
	s.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

func (s *server) Wait() string {
	<-s.ready
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addr
}

func main() {
	s := &server{ready: make(chan struct{})}
	go s.run()
	fmt.Println(s.Wait())
}
