// The signal can come before the wait, which then does not begin; the Cond is garbage before the
// program ends.
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
	ready := false
	go func() {
		c.L.Lock()
		for !ready {
			c.Wait()
		}
		c.L.Unlock()
		close(done)
	}()
	time.Sleep(50 * time.Millisecond)
	c.L.Lock()
	ready = true
	c.L.Unlock()
	c.Signal()
	<-done
}
