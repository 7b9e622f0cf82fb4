// Command peterson protects a critical section for two goroutines with nothing but atomic
// variables: the algorithm of Peterson (1981).
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const rounds = 3

var (
	interested [2]atomic.Bool
	turn       atomic.Int32 // who waits if both are interested

	entered int // guarded by the critical section
)

// lock waits until process i may enter the critical section.
func lock(i int32) {
	other := 1 - i
	interested[i].Store(true)
	turn.Store(i)
	for interested[other].Load() && turn.Load() == i {
		runtime.Gosched()
	}
}

// unlock lets the other process in.
func unlock(i int32) {
	interested[i].Store(false)
}

// critical is the critical section.
func critical() {
	entered++
}

func main() {
	var processes sync.WaitGroup
	for i := range int32(2) {
		processes.Go(func() {
			for range rounds {
				lock(i)
				critical()
				unlock(i)
			}
		})
	}
	processes.Wait()
	fmt.Println("entered", entered, "times")
}
