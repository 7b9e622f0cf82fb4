// A program of goroutines that use atomic variables at random, in runs and in turn, between random
// other operations. Each marks now and then where it is.
package main

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe" // for linkname
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

func mark() { emit(23, 0, 0, 0, nil) }

// variables lie close together, and are made anew now and then.
type variables struct {
	a, b uint32
	c    atomic.Int64
	p    atomic.Pointer[int]
	once [2]sync.Once
}

var (
	current  [2]atomic.Pointer[variables]
	mutex    sync.Mutex
	cond     = sync.NewCond(&mutex)
	handoffs = make(chan int)
	buffer   = make(chan int, 2)
	tokens   = make(chan int, 1)
)

func operate(r *rand.Rand, v *variables, load bool) {
	n := r.IntN(6)
	switch {
	case n == 5:
		v.once[r.IntN(2)].Do(mark)
	case n == 4:
		usePool(r)
	case load && n == 0:
		atomic.LoadUint32(&v.a)
	case load && n == 1:
		atomic.LoadUint32(&v.b)
	case load && n == 2:
		v.c.Load()
	case load:
		v.p.Load()
	case n == 0:
		atomic.AddUint32(&v.a, 1)
	case n == 1:
		atomic.StoreUint32(&v.b, 1)
	case n == 2:
		v.c.CompareAndSwap(1, 2)
	default:
		v.p.Store(nil)
	}
}

// A Once that is made anew and used in turns, which a plain variable hands out: so nothing orders them but the Once. That needs a processor
// that keeps the order of stores.
var (
	turn  int
	again sync.Once
)

func useAgain(r *rand.Rand, me, all int) {
	if runtime.GOARCH != "amd64" || turn != me {
		return
	}
	if r.IntN(2) == 0 {
		again = sync.Once{}
	}
	again.Do(func() {})
	turn = r.IntN(all)
}

var pool sync.Pool

// usePool puts and gets a few things, in runs.
func usePool(r *rand.Rand) {
	for range 1 + r.IntN(4) {
		x := pool.Get()
		if x == nil {
			x = new(int)
		}
		if r.IntN(8) > 0 {
			pool.Put(x)
		}
	}
}

// otherwise does something else that hands on, or learns, or is neither.
func otherwise(r *rand.Rand) {
	switch r.IntN(14) {
	case 0:
		mutex.Lock()
		mutex.Unlock()
	case 1:
		select {
		case handoffs <- 1:
		case <-handoffs:
		case <-time.After(time.Microsecond):
		}
	case 2:
		select {
		case buffer <- 1:
		case <-buffer:
		}
	case 3:
		if r.IntN(10) == 0 {
			var wg sync.WaitGroup
			wg.Go(mark)
			wg.Wait()
		}
	case 4:
		mutex.Lock()
		cond.Broadcast()
		mutex.Unlock()
	case 5:
		mutex.Lock()
		time.AfterFunc(time.Microsecond, cond.Broadcast)
		cond.Wait()
		mutex.Unlock()
	case 6:
		if r.IntN(20) == 0 {
			runtime.GC()
		}
		current[r.IntN(len(current))].Store(new(variables))
	case 7, 8: // whoever finds the token gone waits, and the other one completes what it does
		tokens <- 1
		runtime.Gosched()
		<-tokens
	default:
		mark()
	}
}

func work(r *rand.Rand, me, all, rounds int) {
	v := current[0].Load()
	for range rounds {
		if r.IntN(4) == 0 {
			v = current[r.IntN(len(current))].Load()
		}
		useAgain(r, me, all)
		load, n := r.IntN(2) == 0, r.IntN(6)
		for range n {
			if r.IntN(3) == 0 {
				load = !load
			}
			operate(r, v, load)
			if r.IntN(8) == 0 {
				runtime.Gosched()
			}
		}
		if r.IntN(3) == 0 {
			v.c.Add(1)
			otherwise(r)
			v.c.Add(1)
		}
	}
}

// reuse uses variables and drops them, again and again, so that others come to lie in their memory. It does
// nothing else in between.
func reuse() {
	for range 10 {
		for range 500 {
			sink = new(atomic.Int64)
			sink.Add(1)
		}
		runtime.GC()
	}
}

var sink *atomic.Int64

// Usage: idle seed goroutines rounds
func main() {
	seed, _ := strconv.ParseUint(os.Args[1], 10, 64)
	goroutines, _ := strconv.Atoi(os.Args[2])
	rounds, _ := strconv.Atoi(os.Args[3])
	reuse()
	for i := range current {
		current[i].Store(new(variables))
	}
	done := make(chan bool)
	go func() { // so that nobody waits for ever
		for {
			select {
			case <-done:
				return
			default:
				time.Sleep(time.Millisecond)
				cond.Broadcast()
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() { work(rand.New(rand.NewPCG(seed, uint64(i))), i, goroutines, rounds) })
	}
	wg.Wait()
	close(done)
}
