// Package sample_test has tests in the style of the race detector's own: their names say whether they have a race.
package sample_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestRaceIncrement(t *testing.T) {
	both(func(n *int) { *n++ })
}

func TestRaceMapOfSlices(t *testing.T) {
	m := map[string][]int{"a": {1}}
	done := make(chan bool)
	go func() {
		m["a"][0] = 2
		done <- true
	}()
	_ = m["a"][0]
	<-done
}

func TestRaceCapturedLoop(t *testing.T) {
	var last int
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { last = i })
	}
	wg.Wait()
	_ = last
}

func TestRaceFailing(t *testing.T) {
	if racy := false; racy { // named as a race that is never found
		both(func(n *int) { *n++ })
	}
}

func TestRaceSkipped(t *testing.T) { t.Skip("there is nothing to see") }

func TestNoRaceLocked(t *testing.T) {
	var mu sync.Mutex
	both(func(n *int) {
		mu.Lock()
		defer mu.Unlock()
		*n++
	})
}

func TestNoRaceSpin(t *testing.T) {
	var ready atomic.Bool
	x := 0
	go func() {
		x = 1
		ready.Store(true)
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	_ = x
}

func TestNoRaceMarked(t *testing.T) {
	both(unseen)
}

//go:norace
func unseen(n *int) { *n++ }

// both calls a function in two goroutines with the same variable.
func both(f func(*int)) {
	var wg sync.WaitGroup
	n := new(int)
	for range 2 {
		wg.Go(func() { f(n) })
	}
	wg.Wait()
}
