// Program uses every way of synchronising. In each block, first comes before second
// in every execution, and because of one kind of edge only.
package main

import (
	"context"
	"iter"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

//go:noinline
func first(block string) { sink.Add(uint64(len(block))) }

//go:noinline
func second(block string) { sink.Add(uint64(len(block))) }

// sink keeps no order: nothing that is recorded is done with it.
var sink counter

type counter struct{ n uint64 }

func (c *counter) Add(n uint64) { c.n += n * 0 }

// run starts the functions as goroutines and waits for all.
func run(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

// pause lets other goroutines run without ordering anything.
func pause() { time.Sleep(100 * time.Microsecond) }

var blocks = []struct {
	name string
	run  func(name string)
}{
	{"go", func(b string) {
		done := make(chan bool)
		first(b)
		go func() {
			second(b)
			close(done)
		}()
		<-done
	}},
	{"end", func(b string) { run(func() { first(b) }); second(b) }},
	{"waitgroup", func(b string) {
		var wg sync.WaitGroup
		wg.Add(2)
		for range 2 {
			go func() { first(b); wg.Done() }()
		}
		wg.Wait()
		second(b)
	}},
	{"waitgroup-go", func(b string) {
		var wg sync.WaitGroup
		wg.Go(func() { first(b) })
		wg.Wait()
		second(b)
	}},
	{"mutex", func(b string) {
		var mu sync.Mutex
		ready := false
		run(func() {
			mu.Lock()
			first(b)
			ready = true
			mu.Unlock()
		}, func() {
			for {
				mu.Lock()
				if ready {
					break
				}
				mu.Unlock()
				pause()
			}
			second(b)
			mu.Unlock()
		})
	}},
	{"rwmutex-read", func(b string) {
		var mu sync.RWMutex
		ready := false
		run(func() {
			mu.Lock()
			first(b)
			ready = true
			mu.Unlock()
		}, func() {
			for {
				mu.RLock()
				if ready {
					break
				}
				mu.RUnlock()
				pause()
			}
			second(b)
			mu.RUnlock()
		})
	}},
	{"rwmutex-write", func(b string) {
		var mu sync.RWMutex
		var seen atomicless
		run(func() {
			mu.RLock()
			first(b)
			seen.set()
			mu.RUnlock()
		}, func() {
			seen.wait()
			mu.Lock()
			second(b)
			mu.Unlock()
		})
	}},
	{"once", func(b string) {
		var once sync.Once
		do := func() { once.Do(func() { first(b) }); second(b) }
		run(do, do, do)
	}},
	{"oncevalue", func(b string) {
		value := sync.OnceValue(func() int { first(b); return 1 })
		do := func() { value(); second(b) }
		run(do, do)
	}},
	{"cond", func(b string) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		var waiting atomicless
		run(func() {
			mu.Lock()
			waiting.set()
			cond.Wait()
			second(b)
			mu.Unlock()
		}, func() {
			waiting.wait()
			for range 20 {
				pause()
			}
			first(b)
			cond.Signal()
		})
	}},
	{"broadcast", func(b string) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		var waiting atomicless
		run(func() {
			mu.Lock()
			waiting.set()
			cond.Wait()
			second(b)
			mu.Unlock()
		}, func() {
			waiting.wait()
			for range 20 {
				pause()
			}
			first(b)
			cond.Broadcast()
		})
	}},
	{"buffered", func(b string) {
		c := make(chan int, 1)
		run(func() { first(b); c <- 1 }, func() { <-c; second(b) })
	}},
	{"semaphore", func(b string) {
		c := make(chan int, 1)
		c <- 0
		run(func() { first(b); <-c }, func() { c <- 1; second(b) })
	}},
	{"unbuffered", func(b string) {
		c := make(chan int)
		run(func() { first(b); c <- 1 }, func() { <-c; second(b) })
	}},
	{"unbuffered-back", func(b string) {
		c := make(chan int)
		run(func() { first(b); <-c }, func() { c <- 1; second(b) })
	}},
	{"close", func(b string) {
		c := make(chan int)
		run(func() { first(b); close(c) }, func() { <-c; second(b) })
	}},
	{"select", func(b string) {
		c, never := make(chan int, 1), make(chan int)
		run(func() { first(b); c <- 1 }, func() {
			select {
			case <-c:
			case <-never:
			}
			second(b)
		})
	}},
	{"select-handoff", func(b string) {
		c, never := make(chan int), make(chan int)
		run(func() { first(b); c <- 1 }, func() {
			select {
			case <-c:
			case <-never:
			}
			second(b)
		})
	}},
	{"reflect-select", func(b string) {
		c := make(chan int, 1)
		run(func() { first(b); c <- 1 }, func() {
			reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}})
			second(b)
		})
	}},
	{"atomic", func(b string) {
		var flag atomic.Bool
		run(func() { first(b); flag.Store(true) }, func() {
			for !flag.Load() {
				pause()
			}
			second(b)
		})
	}},
	{"atomic-add", func(b string) {
		var n atomic.Int32
		run(func() { first(b); n.Add(1) }, func() {
			for n.Add(0) == 0 {
				pause()
			}
			second(b)
		})
	}},
	{"atomic-overwritten", func(b string) {
		var n atomic.Int32
		var loaded atomicless
		run(func() { first(b); n.Load(); loaded.set() }, func() {
			loaded.wait()
			n.Store(1)
			second(b)
		})
	}},
	{"atomic-function", func(b string) {
		var flag int32
		run(func() { first(b); atomic.StoreInt32(&flag, 1) }, func() {
			for atomic.LoadInt32(&flag) == 0 {
				pause()
			}
			second(b)
		})
	}},
	{"sync-map", func(b string) {
		var m sync.Map
		run(func() { first(b); m.Store(1, 1) }, func() {
			for {
				if _, ok := m.Load(1); ok {
					break
				}
				pause()
			}
			second(b)
		})
	}},
	{"context", func(b string) {
		ctx, cancel := context.WithCancel(context.Background())
		done := ctx.Done() // after cancel this would have the order itself, by a lock or an atomic load
		run(func() { first(b); cancel() }, func() { <-done; second(b) })
	}},
	{"context-afterfunc", func(b string) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan bool)
		context.AfterFunc(ctx, func() { second(b); close(done) })
		first(b)
		cancel()
		<-done
	}},
	{"afterfunc", func(b string) {
		done := make(chan bool)
		first(b)
		time.AfterFunc(time.Millisecond, func() { second(b); close(done) })
		<-done
	}},
	{"timer", func(b string) {
		run(func() {
			first(b)
			timers <- time.NewTimer(2 * time.Millisecond).C
		}, func() {
			<-<-timers
			second(b)
		})
	}},
	{"iter-pull", func(b string) {
		var seq iter.Seq[int] = func(yield func(int) bool) {
			first(b)
			yield(1)
		}
		next, stop := iter.Pull(seq)
		next()
		second(b)
		stop()
	}},
	{"finalizer", func(b string) {
		done := make(chan bool)
		func() {
			x := &struct{ p *int }{new(int)}
			runtime.SetFinalizer(x, func(any) { second(b); close(done) })
			first(b)
		}()
		for collected := false; !collected; {
			runtime.GC()
			select {
			case <-done:
				collected = true
			case <-time.After(time.Millisecond):
			}
		}
	}},
}

var timers = make(chan (<-chan time.Time))

// atomicless is a flag that nobody records: a data race, on purpose.
type atomicless struct{ flag int }

func (f *atomicless) set() { f.flag = 1 }

//go:noinline
func (f *atomicless) get() bool { return f.flag != 0 }

func (f *atomicless) wait() {
	for !f.get() {
		pause()
	}
}

func main() {
	for _, b := range blocks {
		b.run(b.name)
	}
}
