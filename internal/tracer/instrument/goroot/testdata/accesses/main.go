// A program whose goroutines access memory in an order made of a seed, with some synchronisation in
// between. What brings this order about is not recorded; what is accessed is recorded as statements.
package main

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:linkname ignore runtime.antichainIgnore
func ignore(delta int8)

const (
	statement = 23
	tasks     = 4
	steps     = 120
)

var (
	words [4]int64
	bytes [8]byte // neighbours in one word
	turn  atomic.Int64
	mu    [2]sync.Mutex
	c     = make(chan bool, 1)
)

// access says what it does, and does it twice.
func access(i int, write bool) {
	addr := unsafe.Pointer(&bytes[i%len(bytes)])
	if i < len(words) {
		addr = unsafe.Pointer(&words[i])
	}
	aux := uint64(0)
	if write {
		aux = 1
	}
	emit(statement, uint64(uintptr(addr)), aux, 0, nil)
	for range 2 {
		if write {
			*(*byte)(addr) = 1
		} else {
			sink = *(*byte)(addr)
		}
	}
}

var sink byte

//go:norace
func step(random *rand.Rand, own bool) {
	kind, i, write, j := random.IntN(6), random.IntN(len(words)+len(bytes)), random.IntN(3) == 0, random.IntN(2)
	if !own {
		return
	}
	switch kind {
	case 0:
		mu[j].Lock()
		access(i, write)
		mu[j].Unlock()
	case 1:
		c <- true
		access(i, write)
		<-c
	default:
		access(i, write)
	}
}

// work does the steps of one goroutine when it is their turn.
//
//go:norace
func work(me int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 0)) // the same for all
	for n := range int64(steps) {
		own := random.IntN(tasks) == me
		ignore(1)
		for own && turn.Load() != n {
			runtime.Gosched()
		}
		ignore(-1)
		step(random, own)
		ignore(1)
		if own {
			turn.Store(n + 1)
		}
		ignore(-1)
	}
}

func main() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for me := range tasks {
		wg.Go(func() { work(me, seed) })
	}
	wg.Wait()
}
