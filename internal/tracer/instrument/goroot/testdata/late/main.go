// A program that loads a variable whose value it knows, and then does something else. Each of these
// has a mark before it.
package main

import (
	"sync"
	"sync/atomic"
	_ "unsafe" // for linkname
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

var (
	variable, other atomic.Int64
	mutex           sync.Mutex
	buffer          = make(chan int, 1)
	closed          = make(chan int)
	handoffs        = make(chan int)
	made            chan int
)

//go:noinline
func look() { variable.Load() }

// after marks, again and again as it has perhaps used a channel, looks and does something.
func after(number uint64, does func()) {
	for range 10 {
		emit(23, number, 0, 0, nil)
	}
	look()
	does()
}

func main() {
	variable.Store(1)
	other.Store(1)
	after(1, func() { variable.Store(2) })
	after(2, func() { variable.CompareAndSwap(2, 3) })
	after(3, func() { buffer <- 1 })
	after(4, func() { <-buffer })
	after(5, func() { close(closed) })
	after(6, func() {
		select {
		case <-handoffs:
		default:
		}
	})
	after(7, func() {
		go func() { handoffs <- 1 }()
		<-handoffs
	})
	after(8, func() { mutex.Lock() })
	after(9, func() { mutex.Unlock() })
	after(10, func() { other.Store(2) })
	after(11, func() { // the load is not the last operation
		mutex.Lock()
		buffer <- 1
	})
	after(12, func() { mutex.Unlock() })
	after(13, func() { made = make(chan int, 1) })
	emit(23, 14, 0, 0, nil)
	look() // it has just used a channel
	mutex.Lock()
	mutex.Unlock()
	after(15, func() {
		emit(23, 16, 0, 0, nil)
		var wg sync.WaitGroup
		wg.Go(func() { variable.Store(4) })
		wg.Wait()
	})
}
