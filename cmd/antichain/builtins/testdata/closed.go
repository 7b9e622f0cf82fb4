// closed: operations on a closed channel that panic.
//
// Reported is a send that can come after the close of its channel in some order of the run, or wait
// when it comes; a second close, and the close of a nil channel. It need not have happened: a
// send and a close that nothing orders can come in the other order.
//
// Not reported are a send and a close that synchronisation orders: by the sender itself, by a
// WaitGroup, or by a lock under which the program looks whether the channel is closed.
//
// A send and a close that nothing orders are a data race, too, which race reports as Go's race detector does.
package main

import (
	"sync"
	"time"
)

// lateSend closes a channel when it has waited long enough for the sender, it thinks.
func lateSend() {
	results := make(chan int, 1)
	go func() {
		results <- 1 // want closed "predicted" race "predicted"
	}()
	time.Sleep(40 * time.Millisecond)
	close(results) // want closed "predicted" race "predicted"
}

// lateHandoff has a receiver, for one sender of two.
func lateHandoff() {
	results := make(chan int)
	go func() {
		results <- 1 // want closed "predicted" race "predicted"
	}()
	go func() {
		time.Sleep(40 * time.Millisecond)
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
	time.Sleep(40 * time.Millisecond)
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
		time.Sleep(40 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		closed = true
		close(c)
	})
	wg.Wait()
}
