// Command checkclose has two goroutines that close a channel unless it is closed, one some time after the other.
package main

import (
	"fmt"
	"sync"
	"time"
)

type stopper struct{ stopped chan struct{} }

func (s *stopper) stop() {
	select {
	case <-s.stopped:
	default:
		close(s.stopped)
	}
}

func main() {
	s := &stopper{make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(s.stop)
	wg.Go(func() {
		time.Sleep(5 * time.Millisecond)
		s.stop()
	})
	wg.Wait()
	fmt.Println("stopped")
}
