// A callback of a timer takes two locks in the other order.
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
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	})
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	wg.Wait()
}
