// A program with races on six variables.
package main

import (
	"os"
	"sync"
	"time"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:noinline
func write(p *int) { emit(23, uint64(uintptr(unsafe.Pointer(p))), 1, 0, nil) }

var x, y, z, readers, ticked, piped int

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Go(func() { write(&x) })
	wg.Go(func() { write(&x) })
	c := make(chan int, 1)
	wg.Go(func() { c <- 1; write(&y) }) // the receiver of a buffered send does not wait for what follows
	<-c
	write(&y)
	wg.Go(func() { mu.Lock(); write(&z); mu.Unlock() })
	time.Sleep(time.Millisecond)
	write(&z) // the lock is not held
	wg.Wait()

	// Races that an edge too many would hide.
	var rw sync.RWMutex
	for range 2 {
		wg.Go(func() {
			rw.RLock() // two readers are not ordered
			write(&readers)
			rw.RUnlock()
			time.Sleep(5 * time.Millisecond)
		})
	}
	wg.Wait()
	for range 2 {
		time.AfterFunc(time.Millisecond, func() { write(&ticked) }) // neither are two timers
	}
	time.Sleep(20 * time.Millisecond)
	_, w1, _ := os.Pipe()
	r2, w2, _ := os.Pipe()
	w2.Write([]byte{0})
	wg.Go(func() { write(&piped); w1.Write([]byte{0}) }) // nor are two pipes
	wg.Go(func() { time.Sleep(5 * time.Millisecond); r2.Read([]byte{0}); write(&piped) })
	wg.Wait()
}
