// unlock: a lock that is unlocked without being locked, in some order, or that is never unlocked.
//
// Reported is an unlock of a Mutex or RWMutex that is not locked, which ends the program. It need
// not have happened: in another order the goroutine that unlocks comes before the one that locks,
// and nothing makes it wait.
//
// Reported is also a goroutine that has ended and keeps a lock, if another run of the line that
// locked it led to an unlock in the same function. The report is only possible if a goroutine
// that can still run may unlock it, or if no other goroutine can lock it afterwards. The same
// holds for a place in a channel that serves as a semaphore: goroutines send before they work,
// and receive afterwards.
//
// Not reported is a lock that one goroutine hands over to another one, for example by a channel.
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

// permitKept does not give back its place in a semaphore if its work fails.
func permitKept() {
	permits := make(chan struct{}, 2)
	work := func(fails bool) bool {
		permits <- struct{}{} // want unlock "and never gives back its place"
		if fails {
			return false
		}
		<-permits // want unlock "and never gives back its place"
		return true
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { work(i == 1) })
	}
	wg.Wait()
}

// permitWaited takes its place only as long as it is wanted, and gives it back in a function of its
// own.
func permitWaited() {
	places, done := make(chan struct{}, 2), make(chan struct{})
	acquire := func() bool {
		select { // want unlock "and never gives back its place"
		case places <- struct{}{}:
			return true
		case <-done:
			return false
		}
	}
	release := func() {
		<-places // want unlock "and never gives back its place"
	}
	work := func(fails bool) {
		if acquire() && !fails {
			release()
		}
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { work(i == 1) })
	}
	wg.Wait()
	close(done)
}

// permitPassedOn lets another goroutine give back its place.
//
// want none
func permitPassedOn() {
	permits := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for range 4 {
		permits <- struct{}{}
		wg.Go(func() { <-permits })
	}
	wg.Wait()
}

// latest keeps the latest value for a reader that may never come.
//
// want none
func latest() {
	values, done := make(chan int, 1), make(chan int)
	go func() {
		defer close(done)
		for i := range 3 {
			select {
			case values <- i:
			default:
				<-values
				values <- i
			}
		}
	}()
	<-done
}

// freeList leaves objects for whoever needs one next.
//
// want none
func freeList() {
	free := make(chan []byte, 8)
	var begun, wg sync.WaitGroup
	begun.Add(3)
	work := func(first bool) {
		var b []byte
		select {
		case b = <-free:
		default:
			b = make([]byte, 8)
		}
		if first { // all have an object of their own
			begun.Done()
			begun.Wait()
		}
		select {
		case free <- b:
		default:
		}
	}
	for range 3 {
		wg.Go(func() { work(true); work(false) })
	}
	wg.Wait()
}
