// Tasks say that they have finished, and nobody waits for them with the lock.
package main

import "sync"

type stopper struct {
	stop     chan struct{}
	workers  sync.WaitGroup
	mu       sync.Mutex
	draining bool
	tasks    sync.WaitGroup
}

func (s *stopper) task() {
	s.mu.Lock()
	if s.draining {
		s.mu.Unlock()
		return
	}
	s.tasks.Add(1)
	s.mu.Unlock()
	defer s.tasks.Done()
}

func (s *stopper) Stop() {
	s.mu.Lock()
	s.draining = true
	s.mu.Unlock()
	s.tasks.Wait()
	close(s.stop)
	s.workers.Wait()
}

func main() {
	stoppers := []*stopper{{stop: make(chan struct{})}, {stop: make(chan struct{})}}
	for _, s := range stoppers {
		s.workers.Add(1)
		go func() {
			defer s.workers.Done()
			s.task()
			<-s.stop
		}()
	}
	done := make(chan struct{})
	go func() {
		for _, s := range stoppers {
			s.Stop()
		}
		close(done)
	}()
	<-done
}
