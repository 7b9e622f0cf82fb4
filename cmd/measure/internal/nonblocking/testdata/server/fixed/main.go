// Command server accepts connections, and waits for their handlers when it is shut down.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Server handles connections.
type Server struct {
	conns    chan string
	quit     chan struct{}
	handlers sync.WaitGroup
	served   atomic.Int64
}

// Serve accepts connections until the server is shut down.
func (s *Server) Serve() {
	defer s.handlers.Done()
	for {
		select {
		case <-s.quit:
			return
		case conn := <-s.conns:
			s.handlers.Add(1)
			go s.handle(conn)
		}
	}
}

func (s *Server) handle(conn string) {
	defer s.handlers.Done()
	s.served.Add(int64(len(conn)))
}

// Start starts the loop that accepts.
func (s *Server) Start() {
	s.handlers.Add(1)
	go s.Serve()
}

// Shutdown ends the server, and waits for its handlers.
func (s *Server) Shutdown() {
	close(s.quit)
	s.handlers.Wait()
}

func main() {
	s := &Server{conns: make(chan string, 4), quit: make(chan struct{})}
	s.Start()
	clients := make(chan bool)
	go func() {
		for _, name := range []string{"ann", "bob", "eve"} {
			s.conns <- name
		}
		clients <- true
	}()
	<-clients
	s.Shutdown()
	fmt.Println("shut down")
}
