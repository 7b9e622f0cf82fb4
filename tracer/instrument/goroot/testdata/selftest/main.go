// The program of the self test: it does everything once that the overlay should
// record, and nothing that can take long.
package main

import (
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

func main() {
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "ANTICHAIN_") {
			os.Exit(3)
		}
	}
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var n atomic.Int32
	var p atomic.Pointer[int]
	b, c := make(chan int, 1), make(chan int)
	wg.Go(func() {
		mu.Lock()
		n.Add(1)
		mu.Unlock()
		rw.RLock()
		rw.RUnlock()
		<-c
		select {
		case b <- 1:
		case <-c:
		}
	})
	c <- 1
	<-b
	wg.Wait()
	n.Store(n.Load())
	p.Store(new(int))
	close(b)
	reflect.ValueOf(b).Recv()
	time.AfterFunc(0, func() { c <- 1 })
	<-c
	cond := sync.NewCond(&mu)
	wg.Go(func() {
		mu.Lock()
		for n.Load() == 1 {
			cond.Wait()
		}
		mu.Unlock()
	})
	mu.Lock()
	n.Store(2)
	cond.Broadcast()
	mu.Unlock()
	wg.Wait()
	if !emit(23, 1, 2, 3, make([]byte, 200)) { // a statement
		os.Exit(4)
	}
}
