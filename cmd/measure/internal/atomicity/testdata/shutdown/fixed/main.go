// Command shutdown closes all connections of a server when it ends.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type conn struct {
	id   int
	open bool
}

// Server has connections.
type Server struct {
	mu    sync.Mutex
	conns []*conn
	busy  sync.WaitGroup
}

// handshake agrees on a key.
func handshake(c *conn) {
	c.open = true
}

// Accept serves a client.
func (s *Server) Accept(id int) {
	defer s.busy.Done()
	c := &conn{id: id}
	handshake(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, c)
}

// Close closes all connections.
func (s *Server) Close() {
	s.busy.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.open = false
	}
}

// Open counts connections that are not closed.
func (s *Server) Open() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		if c.open {
			n++
		}
	}
	return n
}

func main() {
	var s Server
	var wg sync.WaitGroup
	for i := range 3 {
		s.busy.Add(1)
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			s.Accept(i)
		})
	}
	wg.Go(func() {
		time.Sleep(100 * time.Millisecond)
		s.Close()
	})
	wg.Wait()
	if n := s.Open(); n > 0 {
		fmt.Println("left open:", n)
		os.Exit(1)
	}
}
