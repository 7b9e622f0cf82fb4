// A program in which one goroutine writes to objects that a package of the standard library has made and drops them, and
// another one writes to new ones that lie where the first ones were. It tells where they lie. Nothing orders the two, and
// there is no race.
package main

import (
	"container/list"
	"math/big"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

// Functions of which there is no copy in this package, which does tell its accesses.
var (
	pushBack = (*list.List).PushBack
	newInt   = big.NewInt
)

// A pipe that nobody sees, so that nothing is ordered by it.
var pipe [2]int

func write() {
	for i := range 1000 {
		e := pushBack(list.New(), nil)
		e.Value = &e
		emit(23, uint64(uintptr(unsafe.Pointer(e))), 0, 0, nil)
		n := newInt(int64(i + 1))
		n.Bits()[0] = 2
		emit(23, uint64(uintptr(unsafe.Pointer(n))), 0, 0, nil)
	}
}

func main() {
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		write()
		syscall.Write(pipe[1], []byte{0})
	})
	wg.Go(func() {
		for n := 0; n != 1; n, _ = syscall.Read(pipe[0], make([]byte, 1)) { // a signal can interrupt it
		}
		for range 5 {
			runtime.GC()
			write()
		}
	})
	wg.Wait()
}
