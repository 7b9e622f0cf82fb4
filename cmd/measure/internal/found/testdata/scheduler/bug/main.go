// A scheduler runs tasks, so many at once as a semaphore allows.
package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// semaphore lets so many goroutines in at once. The others come in by turns.
type semaphore struct {
	mu      sync.Mutex
	free    int
	size    int
	waiting []chan struct{}
}

// Acquire waits until there is room, or until the context ends.
func (s *semaphore) Acquire(ctx context.Context) error {
	s.mu.Lock()
	if ctx.Err() != nil {
		s.mu.Unlock()
		return ctx.Err()
	}
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	room := make(chan struct{})
	s.waiting = append(s.waiting, room)
	s.mu.Unlock()
	select {
	case <-room:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.waiting, room)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	s.mu.Unlock()
	if i < 0 { // it came in meanwhile
		s.Release()
	}
	return ctx.Err()
}

// Release lets another one in.
func (s *semaphore) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.waiting) > 0:
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
	case s.free == s.size:
		panic("semaphore: released more than held")
	default:
		s.free++
	}
}

type scheduler struct {
	limit semaphore
	wg    sync.WaitGroup
}

func (s *scheduler) Add(ctx context.Context, f func()) {
	s.wg.Go(func() {
		s.limit.Acquire(ctx)
		select {
		case <-ctx.Done():
		default:
			f()
		}
		s.limit.Release()
	})
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &scheduler{limit: semaphore{free: 1, size: 1}}
	for i := range 3 {
		s.Add(ctx, func() {
			time.Sleep(time.Millisecond)
			fmt.Println(i)
		})
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	s.wg.Wait()
}
