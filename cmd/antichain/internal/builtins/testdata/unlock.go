// unlock: a lock that is unlocked without being locked, in some order.
//
// Reported is an unlock of a Mutex or RWMutex that is not locked, which ends the program, also where
// it happens only in another order of the run: the goroutine that unlocks did not lock, and nothing
// makes it wait for who did.
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
