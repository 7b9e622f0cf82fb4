// A callback of a timer takes two locks in the same order.
package main

import (
	"sync"
	"time"
)

var a, b sync.Mutex

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	time.AfterFunc(5*time.Millisecond, func() {
		defer wg.Done()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	wg.Wait()
}
