// waitgroup: a WaitGroup whose counter is wrong in some order.
//
// Reported are a counter that can become negative, which panics, and an Add that can run at the
// same time as a Wait while the counter is zero: the Wait may then return too early. Usually the
// Add is in the goroutine that it counts.
//
// Not reported are an Add by a goroutine that the counter still counts, and one after a Wait that
// has returned.
package main

import (
	"sync"
	"time"
)

// addInside counts its goroutine only when that runs.
func addInside() {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1) // want waitgroup "predicted"
		defer wg.Done()
	}()
	pause(40 * time.Millisecond)
	wg.Wait() // want waitgroup "predicted"
}

// negative is done more often than it has begun.
func negative() {
	defer func() { recover() }()
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Done()
	wg.Done() // want waitgroup "observed"
}

// negativeInOtherOrder is done in one goroutine and begun in another one.
func negativeInOtherOrder() {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1)
	}()
	pause(40 * time.Millisecond)
	wg.Done() // want waitgroup "predicted"
}

// addBefore counts each goroutine before it is started.
//
// want none
func addBefore() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
		}()
	}
	wg.Wait()
}

// addByWorker counts a goroutine by one that is counted.
//
// want none
func addByWorker() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		wg.Add(1)
		go func() {
			defer wg.Done()
		}()
	}()
	wg.Wait()
}

// reused begins again when everybody is done.
//
// want none
func reused() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
		}()
		wg.Wait()
	}
}

// waitGroupGo leaves counting to the WaitGroup.
//
// want none
func waitGroupGo() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {})
	}
	wg.Wait()
}
