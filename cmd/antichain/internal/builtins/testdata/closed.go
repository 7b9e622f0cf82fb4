// closed: operations on a closed channel that panic.
//
// Reported are a send that can come after the close of its channel in some order of the run, or
// that still waits at the close; a second close; and the close of a nil channel. The bug need not
// have happened: a send and a close that nothing orders can come in the other order. Two
// goroutines that test in a select statement whether a channel is closed can both take the
// default and close it. So can two goroutines that test an atomic variable before they set it.
//
// Not reported are a send and a close that synchronisation orders: in the sender itself, by a
// WaitGroup, or by a lock under which the program tests whether the channel is closed.
//
// A send and a close that nothing orders are also a data race, which race reports as Go's race
// detector does.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// lateSend closes a channel when it has waited long enough for the sender, it thinks.
func lateSend() {
	results := make(chan int, 1)
	go func() {
		results <- 1 // want closed "predicted" race "predicted"
	}()
	pause(40 * time.Millisecond)
	close(results) // want closed "predicted" race "predicted"
}

// lateHandoff has a receiver, for one sender of two.
func lateHandoff() {
	results := make(chan int)
	go func() {
		results <- 1 // want closed "predicted" race "predicted"
	}()
	go func() {
		pause(40 * time.Millisecond)
		close(results) // want closed "predicted" race "predicted"
	}()
	<-results
	<-results
}

// lateSelect sends in a select statement.
func lateSelect() {
	results, quit := make(chan int, 1), make(chan bool)
	go func() {
		select { // want closed "predicted"
		case results <- 1: // want race "predicted"
		case <-quit:
		}
	}()
	pause(40 * time.Millisecond)
	close(results) // want closed "predicted" race "predicted"
}

// sendOnClosed sends on a channel that it has closed.
func sendOnClosed() {
	defer func() { recover() }()
	c := make(chan int, 1)
	close(c) // want closed "observed"
	c <- 1   // want closed "observed"
}

// closeTwice closes a channel in two goroutines.
func closeTwice() {
	c := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			defer func() { recover() }()
			close(c) // want closed "observed"
		})
	}
	wg.Wait()
}

// closeUnlessClosed looks whether the channel is closed, and closes it if not: so may both.
func closeUnlessClosed() {
	done := make(chan bool)
	stop := func() {
		select {
		case <-done: // want closed "predicted"
		default:
			close(done) // want closed "predicted"
		}
	}
	var wg sync.WaitGroup
	wg.Go(stop)
	wg.Go(func() {
		pause(40 * time.Millisecond)
		stop()
	})
	wg.Wait()
}

// closeUnlessSet looks whether a variable says that the channel is closed, sets it and closes: so
// may both.
func closeUnlessSet() {
	done := make(chan bool)
	var closed atomic.Bool
	stop := func() {
		if closed.Load() { // want closed "possible"
			return
		}
		closed.Store(true)
		close(done) // want closed "possible"
	}
	var wg sync.WaitGroup
	wg.Go(stop)
	wg.Go(func() {
		pause(40 * time.Millisecond)
		stop()
	})
	wg.Wait()
}

// closeNil closes a channel that was never made.
func closeNil() {
	defer func() { recover() }()
	var never chan int
	close(never) // want closed "observed"
}

// closeBySender closes when everything has been sent.
//
// want none
func closeBySender() {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range 3 {
			c <- i
		}
	}()
	for range c {
	}
}

// closeAfterWait closes when all senders are done.
//
// want none
func closeAfterWait() {
	c := make(chan int, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { c <- i })
	}
	go func() {
		wg.Wait()
		close(c)
	}()
	for range c {
	}
}

// closeOnce closes in two goroutines, of which only one does.
//
// want none
func closeOnce() {
	c := make(chan int)
	var once sync.Once
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { once.Do(func() { close(c) }) })
	}
	wg.Wait()
}

// closeUnderLock looks, before it sends, whether the channel is closed.
//
// want none
func closeUnderLock() {
	var mu sync.Mutex
	closed := false
	c := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		if !closed {
			c <- 1
		}
	})
	wg.Go(func() {
		pause(40 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		closed = true
		close(c)
	})
	wg.Wait()
}

// closeUnlessClosedInTurn looks and closes under a lock, in a sync.Once, and one goroutine after the other.
//
// want none
func closeUnlessClosedInTurn() {
	var mu sync.Mutex
	var once sync.Once
	var wg sync.WaitGroup
	locked, guarded, alone := make(chan bool), make(chan bool), make(chan bool)
	stop := func(done chan bool) {
		select {
		case <-done:
		default:
			close(done)
		}
	}
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			stop(locked)
			mu.Unlock()
			once.Do(func() { stop(guarded) })
		})
	}
	stop(alone)
	wg.Wait()
	stop(alone)
	stop(locked)
}

// closeByOne has one who looks and closes, and one who only looks.
//
// want none
func closeByOne() {
	done := make(chan bool)
	isClosed := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	stop := func() {
		if !isClosed() {
			close(done)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for !isClosed() {
			time.Sleep(time.Millisecond)
		}
	})
	pause(20 * time.Millisecond)
	stop()
	wg.Wait()
}

// closeByBoth has two who look and close, by way of a function that looks.
func closeByBoth() {
	done := make(chan bool)
	isClosed := func() bool {
		select {
		case <-done: // want closed "predicted"
			return true
		default:
			return false
		}
	}
	stop := func() {
		if !isClosed() {
			close(done) // want closed "predicted"
		}
	}
	var wg sync.WaitGroup
	wg.Go(stop)
	wg.Go(func() {
		pause(40 * time.Millisecond)
		stop()
	})
	wg.Wait()
}

// closeUnlessSetInTurn looks and sets in one step, or once more under a lock.
//
// want none
func closeUnlessSetInTurn() {
	var mu sync.Mutex
	var swapped, locked atomic.Bool
	first, second := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			pause(time.Duration(i) * 40 * time.Millisecond)
			if !swapped.Load() && !swapped.Swap(true) {
				close(first)
			}
			if locked.Load() {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if !locked.Load() {
				locked.Store(true)
				close(second)
			}
		})
	}
	wg.Wait()
}

// closeByWinner lets an atomic variable say who closes.
//
// want none
func closeByWinner() {
	done := make(chan bool)
	var closing atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			select {
			case <-done:
			default:
				if closing.CompareAndSwap(false, true) {
					close(done)
				}
			}
			pause(20 * time.Millisecond)
			select {
			case <-done:
			default:
			}
		})
	}
	wg.Wait()
}
