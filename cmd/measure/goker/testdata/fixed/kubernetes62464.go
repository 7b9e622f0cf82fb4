// The state is locked for reading once.
package main

import (
	"sync"
	"time"
)

type state struct {
	sync.RWMutex
	sets, standard int
}

func (s *state) setOrStandard() int {
	s.RLock()
	defer s.RUnlock()
	if s.sets > 0 {
		return s.sets
	}
	return s.standard
}

func (s *state) setStandard() {
	s.Lock()
	defer s.Unlock()
	s.standard++
}

func main() {
	s := new(state)
	go s.setOrStandard()
	go func() {
		s.setOrStandard()
		s.setStandard()
	}()
	time.Sleep(100 * time.Millisecond)
}
