// Command expiry forgets sessions that were not used for long.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Store has the time of the last use by session.
type Store struct {
	mu   sync.RWMutex
	used map[string]int
	now  int
}

// old lists sessions that were not used for ten minutes. It needs the lock.
func (s *Store) old() (names []string) {
	for name, used := range s.used {
		if s.now-used >= 10 {
			names = append(names, name)
		}
	}
	return names
}

// report says which sessions end.
func report(names []string) {
	fmt.Println("expired:", names)
}

// Sweep deletes old sessions.
func (s *Store) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.old()
	report(names)
	for _, name := range names {
		delete(s.used, name)
	}
}

// touch notes that a session is used.
func (s *Store) touch(name string) bool {
	_, ok := s.used[name]
	if ok {
		s.used[name] = s.now
	}
	return ok
}

// Use uses a session if it is there.
func (s *Store) Use(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.touch(name)
}

// Has says whether a session is there.
func (s *Store) Has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.used[name]
	return ok
}

func main() {
	s := &Store{used: map[string]int{"a": 0, "b": 5}, now: 12}
	var wg sync.WaitGroup
	var lost bool
	wg.Go(func() {
		ok := s.Use("a")
		time.Sleep(100 * time.Millisecond)
		lost = ok && !s.Has("a")
	})
	wg.Go(func() {
		time.Sleep(50 * time.Millisecond)
		s.Sweep()
	})
	wg.Wait()
	if lost {
		fmt.Println("a session in use was deleted")
		os.Exit(1)
	}
}
