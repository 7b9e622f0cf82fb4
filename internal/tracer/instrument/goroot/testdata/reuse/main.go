// A program in which one goroutine uses objects and drops them, and another one uses new objects
// that lie where the first ones were. Nothing orders the two: each variable below has a race.
package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

//go:noinline
func write(p *int) { emit(23, uint64(uintptr(unsafe.Pointer(p))), 1, 0, nil) }

var shared struct{ mutex, rwmutex, waitgroup, once, atomic, cond, array int }

// use is a kind of objects, how one is made and used, and the variable that goes with it.
type use struct {
	name   string
	shared *int
	object func() unsafe.Pointer
}

func object[T any](use func(*T)) func() unsafe.Pointer {
	return func() unsafe.Pointer {
		x := new(T)
		use(x)
		return unsafe.Pointer(x)
	}
}

var uses = []use{
	{"mutex", &shared.mutex, object(func(x *sync.Mutex) { x.Lock(); x.Unlock() })},
	{"rwmutex", &shared.rwmutex, object(func(x *sync.RWMutex) { x.RLock(); x.RUnlock(); x.Lock(); x.Unlock() })},
	{"waitgroup", &shared.waitgroup, object(func(x *sync.WaitGroup) { x.Add(1); x.Done(); x.Wait() })},
	{"once", &shared.once, object(func(x *sync.Once) { x.Do(func() {}) })},
	{"atomic", &shared.atomic, object(func(x *atomic.Int64) { x.Add(1) })},
	{"cond", &shared.cond, object(func(x *struct {
		sync.Mutex
		sync.Cond
	}) {
		x.L = x
		x.Lock()
		x.Signal()
		x.Unlock()
	})},
	// An object that is more than a word of bits, and more than a page.
	{"array", &shared.array, object(func(x *[1040]atomic.Int64) {
		for i := 0; i < len(x); i += 100 {
			x[i].Add(1)
		}
	})},
}

// A pipe that nobody sees, so that nothing is ordered by it.
var pipe [2]int

func first(addrs map[string]map[uintptr]bool) {
	for _, u := range uses {
		write(u.shared)
		addrs[u.name] = map[uintptr]bool{}
		for range 100 {
			addrs[u.name][uintptr(u.object())] = true
		}
	}
	syscall.Write(pipe[1], []byte{0})
}

func second(addrs map[string]map[uintptr]bool) {
	for n := 0; n != 1; n, _ = syscall.Read(pipe[0], make([]byte, 1)) { // a signal can interrupt it
	}
	for _, u := range slices.Backward(uses) { // the largest first, before its memory is used for others
		if !again(u, addrs[u.name]) {
			fmt.Println("no memory was used again for", u.name)
		}
		write(u.shared)
	}
}

// again uses objects until one lies at one of the addresses.
func again(u use, addrs map[uintptr]bool) bool {
	var kept []unsafe.Pointer
	for range 10 {
		runtime.GC()
		for range 1000 {
			x := u.object()
			if addrs[uintptr(x)] {
				return true
			}
			kept = append(kept, x) // its memory is not the one
		}
	}
	return false
}

func main() {
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	addrs := map[string]map[uintptr]bool{}
	var wg sync.WaitGroup
	wg.Go(func() { first(addrs) })
	wg.Go(func() { second(addrs) })
	wg.Wait()
}
