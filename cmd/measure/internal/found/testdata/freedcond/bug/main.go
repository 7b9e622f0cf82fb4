// The signal can come before the wait; the Cond is garbage before the program ends.
package main

import (
	"runtime"
	"sync"
	"time"
)

func main() {
	work()
	runtime.GC()
}

func work() {
	c := sync.NewCond(&sync.Mutex{})
	done := make(chan bool)
	go func() {
		c.L.Lock()
		c.Wait()
		c.L.Unlock()
		close(done)
	}()
	time.Sleep(50 * time.Millisecond)
	c.Signal()
	<-done
}
