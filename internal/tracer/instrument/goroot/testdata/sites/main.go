// A program with one operation a line; the comment says what its record must be.
package main

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

// No record tells of atomic variables that are nobody else's, on the stack.
var (
	n atomic.Int64
	m int32
)

func main() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var once sync.Once
	mu.Lock()    // acquire lock
	mu.Unlock()  // release unlock
	mu.TryLock() // acquire lock tried
	rw.RLock()   // acquire rlock
	rw.RUnlock() // releasemerge runlock
	rw.Lock()    // acquire lock
	rw.Unlock()  // release unlock
	rw.TryLock() // acquire lock tried
	rw.Unlock()
	rw.TryRLock()                               // acquire rlock tried
	wg.Add(1)                                   // mark add
	wg.Done()                                   // releasemerge done
	wg.Wait()                                   // acquire wait
	once.Do(func() {})                          // acquire once
	once.Do(func() {})                          // acquire once
	n.Add(1)                                    // atomicrmw
	n.Load()                                    // atomicload
	n.Store(1)                                  // atomicstore
	atomic.AddInt32(&m, 1)                      // atomicrmw
	atomic.LoadInt32(&m)                        // atomicload
	b := make(chan int, 1)                      // makechan
	b <- 1                                      // send
	<-b                                         // recv
	reflect.ValueOf(b).Send(reflect.ValueOf(1)) // send
	reflect.ValueOf(b).Recv()                   // recv
	close(b)                                    // close
	<-b                                         // recvclosed

	var contended sync.Mutex
	contended.Lock()
	time.AfterFunc(20*time.Millisecond, contended.Unlock)
	contended.Lock() // acquire lock

	c := make(chan int)
	done := make(chan bool)
	go func() { // go
		c <- 1 // handoff0
		<-c    // handoff1
		done <- true
	}()
	time.Sleep(20 * time.Millisecond)
	<-c // handoff1
	time.Sleep(20 * time.Millisecond)
	c <- 1 // handoff0
	<-done
	time.Sleep(20 * time.Millisecond)
	c = make(chan int, 1)
	go func() {
		c <- 1
		c <- 2 // send
		done <- true
	}()
	time.Sleep(20 * time.Millisecond)
	<-c
	<-done
	go func() {
		<-c
		select { // recv select
		case <-c:
		case <-make(chan int):
		}
		done <- true
	}()
	time.Sleep(20 * time.Millisecond)
	select { // send select
	case c <- 1:
	case <-make(chan int):
	}
	<-done
	wg.Go(func() {}) // go
	wg.Wait()

	cond := sync.NewCond(&mu)
	wg.Go(func() {
		mu.Lock()
		cond.Wait() // acquire wait
		cond.Wait() // acquire wait
		mu.Unlock()
	})
	mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	cond.Signal() // release signal
	time.Sleep(20 * time.Millisecond)
	cond.Broadcast() // releasemerge broadcast
	wg.Wait()
	p := sync.Pool{}
	var got any
	for got == nil { /* a pool may have nothing for another processor */
		p.Put(&m)     // releasemerge put
		got = p.Get() // acquire get
	}
	time.AfterFunc(0, func() { done <- true }) // timerarm timer
	<-done
}
