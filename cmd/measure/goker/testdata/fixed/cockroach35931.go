// To cancel a stream does not wait for its reader.
package main

import (
	"sync"
	"time"
)

type stream struct{ rows chan struct{} }

func (s stream) cancel() {
	select {
	case s.rows <- struct{}{}:
	default:
	}
}

func main() {
	left, right := stream{make(chan struct{}, 1)}, stream{make(chan struct{}, 1)}
	left.rows <- struct{}{}
	var mu sync.Mutex
	streams := map[int]stream{0: left, 1: right}
	go func() {
		mu.Lock()
		pending := []stream{streams[0], streams[1]}
		mu.Unlock()
		for _, s := range pending {
			s.cancel()
		}
	}()
	time.Sleep(100 * time.Millisecond)
}
