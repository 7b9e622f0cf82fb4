// Command connset keeps the open connections of a server.
//
// Bug: Close removes the map although a connection may still be tracked, which panics then: assignment to a nil map.
// A report has to name property no_track_after_close.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Set has the open connections.
type Set struct {
	mu      sync.Mutex
	open    map[int]string
	pending sync.WaitGroup
}

// Track adds a connection.
func (s *Set) Track(id int, peer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[id] = peer
}

// Close forgets all connections.
func (s *Set) Close() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.open)
	s.open = nil
	return n
}

// accept takes connections in the background.
func (s *Set) accept(first int, peers ...string) {
	s.pending.Add(1)
	go func() {
		defer s.pending.Done()
		for i, peer := range peers {
			s.Track(first+i, peer)
		}
	}()
}

func main() {
	s := &Set{open: make(map[int]string)}
	s.accept(1, "10.0.0.1")
	s.accept(2, "10.0.0.2", "10.0.0.3")
	time.Sleep(2 * time.Millisecond) // until somebody interrupts the server
	fmt.Println("some were open:", s.Close() > 0)
}
