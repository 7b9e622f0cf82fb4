// Package store is what a test of this module tests.
package store

import "sync"

// Store keeps what its clients write, one after the other.
type Store struct {
	mu    sync.Mutex
	lines []string

	// Hurried has clients write without the lock.
	Hurried bool

	// Hook is called where a client has locked the store, begins and ends to write, and will unlock.
	Hook func(client, does string)
}

// Write adds a line.
func (s *Store) Write(client, line string) {
	if !s.Hurried {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Hook(client, "lock")
		defer s.Hook(client, "unlock")
	}
	s.Hook(client, "begin")
	s.lines = append(s.lines, line)
	s.Hook(client, "end")
}
