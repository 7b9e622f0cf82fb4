// unlock: a lock that is unlocked without being locked, in some order, or that is never unlocked.
//
// Reported is an unlock of a Mutex or RWMutex that is not locked, which ends the program, also where
// it happens only in another order of the run: the goroutine that unlocks did not lock, and nothing
// makes it wait for who did.
//
// Reported is also a goroutine that has ended and keeps a lock, if another run of the line that
// locked it led to an unlock in the same function. The report is only possible if a goroutine that
// can go on may still unlock it, or if no other goroutine can come to lock it afterwards.
//
// Not reported is a lock that one goroutine hands over to another by way of a channel, for example.
package main

import (
	"sync"
	"time"
)

// unlockTwice gives back a lock that it has not got any more.
func unlockTwice() {
	var mu sync.Mutex
	mu.Lock()
	mu.Unlock()
	mu.Unlock() // want unlock "observed"
}

// readUnlockTwice gives back more often than it has taken.
func readUnlockTwice() {
	var mu sync.RWMutex
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock() // want unlock "observed"
}

// unlockElsewhere gives back a lock that another goroutine takes at about the same time.
func unlockElsewhere() {
	var mu sync.Mutex
	go func() {
		mu.Lock() // want unlock "predicted"
	}()
	pause(40 * time.Millisecond)
	mu.Unlock() // want unlock "predicted"
}

// handedOver gives back a lock that another goroutine has taken, which tells it so.
//
// want none
func handedOver() {
	var mu sync.Mutex
	taken := make(chan bool)
	go func() {
		mu.Lock()
		taken <- true
	}()
	<-taken
	mu.Unlock()
}

// keptOnReturn forgets its lock on one of two ways.
func keptOnReturn() {
	var mu sync.Mutex
	closed := false
	subscribe := func() {
		mu.Lock() // want unlock "and never unlocks" deadlock "predicted, locks reordered" stuck "predicted, locks reordered"
		if closed {
			return
		}
		mu.Unlock() // want unlock "and never unlocks"
	}
	go subscribe()
	pause(40 * time.Millisecond)
	mu.Lock()
	closed = true
	mu.Unlock()
	go subscribe()
	pause(200 * time.Millisecond)
}

// keptForAnother locks for another goroutine, unless there is nothing to do. The program ends while
// that still has the lock.
//
// want none
func keptForAnother() {
	var mu sync.Mutex
	jobs := make(chan int)
	begin := func(job int) {
		mu.Lock()
		if job == 0 {
			mu.Unlock()
			return
		}
		jobs <- job
	}
	begin(0)
	go begin(1)
	<-jobs
	mu.Unlock()
	go begin(2)
	<-jobs
	pause(40 * time.Millisecond)
}
