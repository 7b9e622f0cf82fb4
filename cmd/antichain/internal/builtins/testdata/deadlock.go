// deadlock: goroutines that wait for each other's locks.
//
// Reported is a cycle of goroutines each of which holds a lock that the next one wants: a Mutex,
// a RWMutex with its rules for readers and writers, or a channel with room for one element that
// serves as a lock. The deadlock need not have happened: critical sections that came one after
// the other in this run can overlap in another order, if only the locks themselves ordered them.
// A goroutine may also hold a lock while it waits, at a channel, a WaitGroup or a Once, for
// another one that first needs the lock.
//
// Not reported are cycles that cannot close: one lock is held around all of them (a gate), all
// are readers, or other synchronisation keeps the goroutines apart.
package main

import (
	"sync"
	"time"
)

// abba locks two mutexes in both orders. Here one goroutine comes long after the other.
func abba() {
	var a, b sync.Mutex
	go func() {
		a.Lock()
		b.Lock() // want deadlock "predicted, locks reordered"
		b.Unlock()
		a.Unlock()
	}()
	pause(40 * time.Millisecond)
	b.Lock()
	a.Lock() // want deadlock "predicted, locks reordered"
	a.Unlock()
	b.Unlock()
}

// abbaNow is in the middle of its deadlock when it ends.
func abbaNow() {
	var a, b sync.Mutex
	both := make(chan bool)
	go func() {
		a.Lock()
		both <- true
		b.Lock() // want deadlock "observed"
	}()
	go func() {
		b.Lock()
		<-both
		a.Lock() // want deadlock "observed"
	}()
	pause(200 * time.Millisecond)
}

// threeLocks has a cycle of three goroutines.
func threeLocks() {
	var locks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range locks {
		wg.Go(func() {
			pause(time.Duration(i) * 40 * time.Millisecond)
			locks[i].Lock()
			locks[(i+1)%3].Lock() // want deadlock "predicted, locks reordered"
			locks[(i+1)%3].Unlock()
			locks[i].Unlock()
		})
	}
	wg.Wait()
}

// sameOrder locks two mutexes in one order everywhere.
//
// want none
func sameOrder() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
	}
	wg.Wait()
}

// gate takes a third lock before the two, so that nobody else is between them.
//
// want none
func gate() {
	var gate, a, b sync.Mutex
	go func() {
		gate.Lock()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		gate.Unlock()
	}()
	pause(40 * time.Millisecond)
	gate.Lock()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	gate.Unlock()
}

// inTurn locks in both orders, but a channel keeps the goroutines apart.
//
// want none
func inTurn() {
	var a, b sync.Mutex
	next := make(chan bool)
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		next <- true
	}()
	<-next
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

// startedAfter starts a goroutine only when it has left its critical sections.
//
// want none
func startedAfter() {
	var a, b sync.Mutex
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	wg.Wait()
}

// oneTask locks in both orders, one after the other.
//
// want none
func oneTask() {
	var a, b sync.Mutex
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

// tryLock does not wait for its second lock.
//
// want none
func tryLock() {
	var a, b sync.Mutex
	go func() {
		a.Lock()
		if b.TryLock() {
			b.Unlock()
		}
		a.Unlock()
	}()
	pause(40 * time.Millisecond)
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

// readerWriter has a cycle through a lock that is held for reading.
func readerWriter() {
	var a sync.RWMutex
	var b sync.Mutex
	go func() {
		a.RLock()
		b.Lock() // want deadlock "predicted, locks reordered"
		b.Unlock()
		a.RUnlock()
	}()
	pause(40 * time.Millisecond)
	b.Lock()
	a.Lock() // want deadlock "predicted, locks reordered"
	a.Unlock()
	b.Unlock()
}

// readersOnly has a cycle of readers, who do not exclude each other.
//
// want none
func readersOnly() {
	var a, b sync.RWMutex
	go func() {
		a.RLock()
		b.RLock()
		b.RUnlock()
		a.RUnlock()
	}()
	pause(40 * time.Millisecond)
	b.RLock()
	a.RLock()
	a.RUnlock()
	b.RUnlock()
}

// writerBetween reads twice: a writer that comes between the two waits for the first, and the
// second for the writer.
func writerBetween() {
	var mu sync.RWMutex
	go func() {
		mu.RLock()
		mu.RLock() // want deadlock "\\(predicted\\)"
		mu.RUnlock()
		mu.RUnlock()
	}()
	pause(40 * time.Millisecond)
	mu.Lock() // want deadlock "\\(predicted\\)"
	mu.Unlock()
}

// sendUnderLock holds a lock while it waits for a receiver that first needs the lock.
func sendUnderLock() {
	var mu sync.Mutex
	results := make(chan int)
	go func() {
		pause(40 * time.Millisecond)
		mu.Lock()
		results <- 1 // want deadlock "predicted, locks reordered"
		mu.Unlock()
	}()
	mu.Lock() // want deadlock "predicted, locks reordered"
	mu.Unlock()
	<-results
}

// fillUnderLock holds a lock while it sends more than there is room for, to who first needs the lock. In this
// run each value is received before the next one comes.
func fillUnderLock() {
	var mu sync.Mutex
	results := make(chan int, 2)
	go func() {
		pause(40 * time.Millisecond)
		mu.Lock()
		for i := range 3 {
			results <- i // want deadlock "predicted, locks reordered"
			pause(20 * time.Millisecond)
		}
		mu.Unlock()
	}()
	mu.Lock() // want deadlock "predicted, locks reordered"
	mu.Unlock()
	for range 3 {
		<-results
	}
}

// roomUnderLock holds a lock while it sends, to who first needs the lock, but there is room for all of it.
//
// want none
func roomUnderLock() {
	var mu sync.Mutex
	results := make(chan int, 3)
	go func() {
		pause(40 * time.Millisecond)
		mu.Lock()
		for i := range 3 {
			results <- i
		}
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	for range 3 {
		<-results
	}
}

// waitUnderLock holds a lock while it waits for a worker that needs the lock.
func waitUnderLock() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		mu.Lock() // want deadlock "predicted, locks reordered"
		mu.Unlock()
		wg.Done()
	}()
	pause(40 * time.Millisecond)
	mu.Lock()
	wg.Wait() // want deadlock "predicted, locks reordered"
	mu.Unlock()
}

// joinUnderLock holds a lock while it waits for a channel to be closed by who needs the lock.
func joinUnderLock() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		defer close(done)
		mu.Lock() // want deadlock "predicted, locks reordered"
		mu.Unlock()
	}()
	pause(40 * time.Millisecond)
	mu.Lock()
	<-done // want deadlock "predicted, locks reordered"
	mu.Unlock()
}

// sendOnClosedUnderLock sends under a lock under which another goroutine closes the channel. That may panic, but never
// waits, as there is room.
func sendOnClosedUnderLock() {
	var mu sync.Mutex
	numbers := make(chan int, 4)
	go func() {
		mu.Lock()
		close(numbers) // want closed "observed"
		mu.Unlock()
	}()
	pause(40 * time.Millisecond)
	defer func() { _ = recover() }()
	mu.Lock()
	defer mu.Unlock()
	numbers <- 1 // want closed "observed"
}

// trySendOnClosedUnderLock sends in a select statement that does not wait either.
func trySendOnClosedUnderLock() {
	var mu sync.Mutex
	numbers := make(chan int)
	go func() {
		mu.Lock()
		close(numbers) // want closed "observed"
		mu.Unlock()
	}()
	pause(40 * time.Millisecond)
	defer func() { _ = recover() }()
	mu.Lock()
	defer mu.Unlock()
	select {
	case numbers <- 1: // want closed "observed"
	default:
	}
}

// sendBeside gives its lock back before it waits.
//
// want none
func sendBeside() {
	var mu sync.Mutex
	results := make(chan int)
	go func() {
		mu.Lock()
		mu.Unlock()
		results <- 1
	}()
	mu.Lock()
	mu.Unlock()
	<-results
}

// channelLocks uses channels with room for one element as locks, in both orders.
func channelLocks() {
	a, b := make(chan bool, 1), make(chan bool, 1)
	go func() {
		a <- true
		b <- true // want deadlock "predicted, locks reordered"
		<-b
		<-a
	}()
	pause(40 * time.Millisecond)
	b <- true
	a <- true // want deadlock "predicted, locks reordered"
	<-a
	<-b
}

// onceUnderLock uses a value under the lock that is needed to make it. Who comes while it is made waits with the lock
// for who makes it, and waits for the lock.
func onceUnderLock() {
	var mu sync.Mutex
	var n int
	value := sync.OnceValue(func() int {
		mu.Lock() // want deadlock "locks reordered.*for once [0-9]+, until .*func2 goes on"
		defer mu.Unlock()
		return n + 1
	})
	done := make(chan bool)
	go func() {
		value()
		done <- true
	}()
	pause(40 * time.Millisecond)
	go func() {
		mu.Lock()
		n = value()
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
}

// onceBefore makes the value before there is somebody who holds the lock.
//
// want none
func onceBefore() {
	var mu sync.Mutex
	var n int
	value := sync.OnceValue(func() int {
		mu.Lock()
		defer mu.Unlock()
		return n + 1
	})
	value()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			n = value()
			mu.Unlock()
		})
	}
	wg.Wait()
}
