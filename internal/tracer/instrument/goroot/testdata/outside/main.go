// A program with timers, signals and Signals. The comments say what the records must be.
package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1) // outside 0
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-c
	signal.Stop(c) // outside 1

	t := time.NewTimer(time.Millisecond) // release timer 0
	<-t.C
	t.Stop()           // try stop 0
	t.Reset(time.Hour) // release timer 0
	t.Stop()           // mark stop 0
	t.Stop()           // try stop 0

	k := time.NewTicker(time.Millisecond) // release timer 1
	<-k.C
	k.Stop()                                  // mark stop 0
	k.Reset(time.Hour)                        // release timer 1
	time.After(1)                             // release timer 0
	f := time.AfterFunc(time.Hour, func() {}) // release timer 0
	f.Stop()                                  // mark stop 0

	var wg sync.WaitGroup
	wg.Add(3)  // mark add 3
	wg.Add(-2) // releasemerge done -2
	wg.Done()  // releasemerge done -1
	cond := sync.NewCond(new(sync.Mutex))
	cond.Signal()                             // mark signal 1
	cond.Broadcast()                          // none: it has signalled
	sync.NewCond(new(sync.Mutex)).Broadcast() // mark broadcast 1
	done := make(chan bool)
	go func() {
		drain()
		done <- true
	}()
	<-done
}

// drain stops a timer that may have sent what nobody has received.
func drain() {
	ready := make(chan bool, 1)
	t := time.NewTimer(time.Hour)
	for range 20 {
		t.Reset(1)
		time.Sleep(time.Microsecond)
		ready <- true
		select { // none: takes either
		case <-t.C:
			<-ready
		case <-ready:
		}
		t.Stop()
	}
}
