// Command store keeps values in memory and writes them to a log.
//
// Bug: Close is called when the writers have been told to stop, but not when they have: what is put then is lost.
// A report has to name property closed_last.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Store is a log of values.
type Store struct {
	mu     sync.Mutex
	closed bool
	log    []string
	lost   int
}

// Put appends a value. After Close it is only counted.
func (s *Store) Put(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.lost++
		return
	}
	s.log = append(s.log, value)
}

// Close ends the log.
func (s *Store) Close() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return len(s.log)
}

// write puts values until it is told to stop.
func write(ctx context.Context, s *Store, name string) {
	for i := 0; ; i++ {
		s.Put(fmt.Sprint(name, i))
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func main() {
	s := new(Store)
	ctx, cancel := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		writers.Go(func() { write(ctx, s, name) })
	}
	time.Sleep(3 * time.Millisecond)
	cancel()
	n := s.Close()
	writers.Wait()
	fmt.Println("some values:", n > 0)
}
