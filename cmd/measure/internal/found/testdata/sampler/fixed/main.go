// A sampler that can be paused; a sample takes the lock.
package main

import (
	"fmt"
	"sync"
	"time"
)

type sampler struct {
	mu      sync.Mutex
	rates   chan time.Duration
	done    chan struct{}
	samples int
	rate    time.Duration
}

func (s *sampler) run() {
	t := time.NewTicker(10 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case d := <-s.rates:
			t.Reset(d)
		case <-t.C:
			s.mu.Lock()
			s.samples++
			s.mu.Unlock()
		case <-s.done:
			return
		}
	}
}

func (s *sampler) SetRate(d time.Duration) {
	s.mu.Lock()
	s.rate = d
	s.mu.Unlock()
	s.rates <- d
}

func main() {
	s := &sampler{rates: make(chan time.Duration), done: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(s.run)
	s.SetRate(20 * time.Millisecond)
	time.Sleep(30 * time.Millisecond)
	s.SetRate(30 * time.Millisecond)
	close(s.done)
	wg.Wait()
	fmt.Println("done")
}
