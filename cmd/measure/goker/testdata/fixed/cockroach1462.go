// Who sends an event waits for the end as well.
package main

import (
	"sync"
	"time"
)

type stopper struct {
	stopping chan struct{}
	workers  sync.WaitGroup
}

func (s *stopper) run(f func()) {
	s.workers.Add(1)
	go func() {
		defer s.workers.Done()
		f()
	}()
}

func (s *stopper) stop() {
	close(s.stopping)
	s.workers.Wait()
}

func main() {
	s := &stopper{stopping: make(chan struct{})}
	events := make(chan int)
	s.run(func() {
		for {
			select {
			case <-s.stopping:
				return
			case events <- 0:
			}
		}
	})
	s.run(func() {
		for {
			select {
			case <-events:
			case <-s.stopping:
				return
			}
		}
	})
	time.Sleep(10 * time.Millisecond)
	s.stop()
}
