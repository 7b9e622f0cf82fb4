// The lock is released also if there is nothing to do.
package main

import (
	"sync"
	"time"
)

type devices struct {
	sync.Mutex
	deleted int
}

func (d *devices) cleanup() {
	d.Lock()
	defer d.Unlock()
	if d.deleted == 0 {
		return
	}
	d.deleted = 0
}

func main() {
	d := new(devices)
	d.cleanup()
	done := make(chan bool, 1)
	go func() {
		d.Lock()
		defer d.Unlock()
		done <- true
	}()
	select {
	case <-time.After(time.Millisecond):
	case <-done:
	}
	time.Sleep(100 * time.Millisecond)
}
