package main

import (
	"context"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pause lets other goroutines come first and orders nothing. It goes on while one of them can run, for up to a second: on a busy machine
// some come later. Who lets others go first is asleep for a shorter time than lies between two looks.
func pause() {
	for looks, quiet := 0, 0; looks < 100 && quiet < 2; looks++ {
		time.Sleep(10 * time.Millisecond)
		all := stacks()
		quiet++
		if strings.Count(all, " [running") > 1 || strings.Contains(all, " [runnable") {
			quiet = 0
		}
	}
}

// until returns when another goroutine waits for a reason, and orders nothing.
func until(reason string) {
	for !strings.Contains(stacks(), " ["+reason) {
		time.Sleep(time.Millisecond)
	}
}

func stacks() string {
	all := make([]byte, 1<<16)
	return string(all[:runtime.Stack(all, true)])
}

// Races in spite of some synchronisation.

func racyTwoMutexes() {
	var a, b sync.Mutex
	x := 0
	both(
		func() { a.Lock(); x++; a.Unlock() }, // race
		func() { b.Lock(); x++; b.Unlock() }, // race
	)
}

func racyUnlockedTooSoon() {
	var mu sync.Mutex
	x := 0
	both(
		func() { mu.Lock(); mu.Unlock(); x++ },               // race
		func() { pause(); mu.Lock(); x++; mu.Unlock(); x++ }, // race
	)
}

func racyReaders() {
	var rw sync.RWMutex
	x := 0
	both(
		func() { rw.RLock(); x++; rw.RUnlock() }, // race
		func() { rw.RLock(); x++; rw.RUnlock() }, // race
	)
}

func racyMutexOverwritten() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu = sync.Mutex{} // race
		close(done)
	}()
	pause()
	mu.Lock() // race
	<-done
}

func racyAtomicLoad() {
	x := int64(0)
	both(
		func() { use(atomic.LoadInt64(&x)) }, // race
		func() { x = 1 },                     // race
	)
}

func racyAtomicStore() {
	x := uint32(0)
	both(
		func() { atomic.StoreUint32(&x, 1) }, // race
		func() { use(x) },                    // race
	)
}

func racyAtomicAdd() {
	x := int32(0)
	both(
		func() { atomic.AddInt32(&x, 1) }, // race
		func() { x++ },                    // race
	)
}

func racyAtomicPointer() {
	x := unsafePointer(new(int))
	both(
		func() { atomic.StorePointer(&x, nil) }, // race
		func() { use(x) },                       // race
	)
}

// A watchdog keeps the time of the last sign of life without any synchronisation.
type watchdog struct{ last int64 }

func (w *watchdog) keepAlive() { w.last = time.Now().UnixNano() } // race
func (w *watchdog) late() bool { return w.last < 1 }              // race

func racyWatchdog() {
	w := new(watchdog)
	both(w.keepAlive, func() { use(w.late()) })
}

func racyTypedAtomicCopied() {
	type counter struct {
		n    atomic.Int64
		name string
	}
	c := new(counter)
	both(
		func() { c.n.Add(1) },       // race
		func() { d := *c; use(&d) }, // race
	)
}

func racyDoneTooSoon() {
	var wg sync.WaitGroup
	x := 0
	_ = &x
	wg.Add(1)
	go func() {
		wg.Done()
		x = 1 // race
	}()
	wg.Wait()
	x = 2 // race
	pause()
}

func racyAddWithWait() {
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		wg.Add(1) // race
		until("sync.WaitGroup.Wait")
		wg.Done()
		close(done)
	}()
	pause()
	wg.Wait() // race
	<-done
}

// The receiver of a buffered channel is not waited for.
func racyBuffered() {
	x, c, done := 0, make(chan bool, 10), make(chan bool)
	_ = &x
	go func() {
		x = 1 // race
		<-c
		close(done)
	}()
	c <- true
	pause()
	x = 2 // race
	<-done
}

func racySemaphore() {
	x, sem := 0, make(chan bool, 2)
	work := func() {
		sem <- true
		x++ // race
		<-sem
	}
	both(work, work)
}

func racySendAndClose() {
	c := make(chan bool, 1)
	done := make(chan bool)
	go func() {
		c <- true // race
		close(done)
	}()
	pause()
	close(c) // race
	<-done
}

func racySelectAndClose() {
	c, done := make(chan bool, 1), make(chan bool)
	go func() {
		select {
		case c <- true: // race
		case <-time.After(time.Minute):
		}
		close(done)
	}()
	pause()
	close(c) // race
	<-done
}

func racyDefault() {
	x, c := 0, make(chan bool)
	_ = &x
	done := make(chan bool)
	go func() {
		x = 1 // race
		select {
		case c <- true:
		default:
		}
		close(done)
	}()
	pause()
	x = 2 // race
	<-done
}

func racyAfterFunc() {
	x, done := 0, make(chan bool)
	_ = &x
	time.AfterFunc(time.Millisecond, func() {
		x = 1 // race
		close(done)
	})
	x = 2 // race
	<-done
}

func racyPool() {
	var pool sync.Pool
	p := new(point)
	done := make(chan bool)
	go func() {
		pool.Put(p)
		p.x = 1 // race
		close(done)
	}()
	pause()
	p.x = 2 // race
	<-done
}

func racyOnces() {
	var a, b sync.Once
	x := 0
	both(
		func() { a.Do(func() { x++ }) }, // race
		func() { b.Do(func() { x++ }) }, // race
	)
}

func racyCond() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	x, woken := 0, make(chan bool)
	_ = &x
	go func() {
		mu.Lock()
		cond.Wait()
		mu.Unlock()
		x = 1 // race
		close(woken)
	}()
	pause()
	cond.Signal()
	x = 2 // race
	<-woken
}

func racyPipeBuffer() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	buf, done := make([]byte, 4), make(chan bool)
	go func() {
		io.ReadFull(r, buf) // race
		close(done)
	}()
	w.Write([]byte("abcd"))
	pause()
	buf[0] = 1 // race
	<-done
}

func racyManyReaders() {
	x := new(int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { use(*x) }) // race
	}
	pause()
	*x = 1 // race
	wg.Wait()
}

// No races.

func cleanMutex() {
	var mu sync.Mutex
	x := 0
	work := func() {
		for range 100 {
			mu.Lock()
			x++
			mu.Unlock()
		}
	}
	both(work, work)
	use(x)
}

func cleanRWMutex() {
	var rw sync.RWMutex
	m := map[int]int{}
	both(
		func() {
			for i := range 50 {
				rw.Lock()
				m[i] = i
				rw.Unlock()
			}
		},
		func() {
			for i := range 50 {
				rw.RLock()
				use(m[i])
				rw.RUnlock()
			}
		},
	)
}

func cleanTryLock() {
	var mu sync.Mutex
	x := 0
	work := func() {
		for range 100 {
			if mu.TryLock() {
				x++
				mu.Unlock()
			}
		}
	}
	both(work, work)
}

func cleanDeferUnlock() {
	var mu sync.Mutex
	x := 0
	work := func() {
		defer func() { recover() }()
		mu.Lock()
		defer mu.Unlock()
		x++
		panic("x")
	}
	both(work, work)
}

func cleanUnbuffered() {
	x, c := 0, make(chan bool)
	both(
		func() { x = 1; c <- true; <-c; use(x) },
		func() { <-c; x = 2; c <- true },
	)
}

// The sender of an unbuffered channel goes on after the receive has begun.
func cleanReverse() {
	x, c := 0, make(chan bool)
	_ = &x
	both(
		func() { x = 1; <-c },
		func() { c <- true; x = 2 },
	)
}

func cleanBuffered() {
	c := make(chan *point, 3)
	both(
		func() {
			for i := range 20 {
				c <- &point{x: i}
			}
			close(c)
		},
		func() {
			for p := range c {
				p.x++
			}
		},
	)
}

func cleanSemaphore() {
	x, sem := 0, make(chan bool, 1)
	work := func() {
		for range 50 {
			sem <- true
			x++
			<-sem
		}
	}
	both(work, work)
}

func cleanClose() {
	x, c := 0, make(chan bool)
	both(
		func() { x = 1; close(c) },
		func() { <-c; use(x) },
	)
}

func cleanSelect() {
	x, a, b := 0, make(chan bool), make(chan bool)
	_ = &x
	both(
		func() {
			x = 1
			select {
			case a <- true:
			case b <- true:
			}
		},
		func() {
			select {
			case <-a:
			case <-b:
			}
			x = 2
		},
	)
}

func cleanPipeline() {
	a, b := make(chan *int), make(chan *int, 2)
	go func() {
		for i := range 20 {
			a <- &i
		}
		close(a)
	}()
	go func() {
		for p := range a {
			*p *= 2
			b <- p
		}
		close(b)
	}()
	n := 0
	for p := range b {
		n += *p
	}
	use(n)
}

func cleanWorkers() {
	jobs, results := make(chan int), make([]int, 50)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				results[j] = j * j
			}
		})
	}
	for j := range results {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	for _, r := range results {
		use(r)
	}
}

func cleanWaitGroupReuse() {
	var wg sync.WaitGroup
	x := make([]int, 3)
	for range 5 {
		for i := range x {
			wg.Add(1)
			go func() { x[i]++; wg.Done() }()
		}
		wg.Wait()
		x[0] = x[1] + x[2]
	}
}

func cleanOnce() {
	var once sync.Once
	x := 0
	work := func() { once.Do(func() { x = 1 }); use(x) }
	both(work, work)
}

func cleanOnceValue() {
	get := sync.OnceValue(func() *point { return &point{x: 1} })
	both(func() { use(get().x) }, func() { use(get().x) })
}

func cleanAtomicPublish() {
	x, ready := 0, uint32(0)
	both(
		func() { x = 1; atomic.StoreUint32(&ready, 1) },
		func() {
			for atomic.LoadUint32(&ready) == 0 {
				runtime.Gosched()
			}
			use(x)
		},
	)
}

func cleanTypedAtomics() {
	var ready atomic.Bool
	var p atomic.Pointer[point]
	var v atomic.Value
	both(
		func() { v.Store([]int{1}); p.Store(&point{x: 1}); ready.Store(true) },
		func() {
			for !ready.Load() {
				runtime.Gosched()
			}
			use(p.Load().x)
			use(v.Load().([]int)[0])
		},
	)
}

func cleanSpinLock() {
	var lock atomic.Int32
	x := 0
	work := func() {
		for range 20 {
			for !lock.CompareAndSwap(0, 1) {
				runtime.Gosched()
			}
			x++
			lock.Store(0)
		}
	}
	both(work, work)
}

func cleanDoubleChecked() {
	var mu sync.Mutex
	var made atomic.Pointer[point]
	get := func() *point {
		if p := made.Load(); p != nil {
			return p
		}
		mu.Lock()
		defer mu.Unlock()
		p := made.Load()
		if p == nil {
			p = &point{x: 1}
			made.Store(p)
		}
		return p
	}
	both(func() { use(get().x) }, func() { use(get().x) })
}

// What was plain before it is shared, and after it is not any more.
func cleanAtomicThenPlain() {
	x := new(int64)
	*x = 1
	both(
		func() { atomic.AddInt64(x, 1) },
		func() { atomic.AddInt64(x, 1) },
	)
	*x = 3
}

func cleanSyncMap() {
	var m sync.Map
	both(
		func() { m.Store(1, &point{x: 1}) },
		func() {
			for {
				if p, ok := m.Load(1); ok {
					use(p.(*point).x)
					return
				}
				runtime.Gosched()
			}
		},
	)
}

func cleanPool() {
	pool := sync.Pool{New: func() any { return new(point) }}
	work := func() {
		for i := range 200 {
			p := pool.Get().(*point)
			p.x = i
			pool.Put(p)
		}
	}
	both(work, work)
}

func cleanCond() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var queue []*point
	both(
		func() {
			for i := range 20 {
				mu.Lock()
				queue = append(queue, &point{x: i})
				mu.Unlock()
				cond.Signal()
			}
		},
		func() {
			for range 20 {
				mu.Lock()
				for len(queue) == 0 {
					cond.Wait()
				}
				p := queue[0]
				queue = queue[1:]
				mu.Unlock()
				p.x++
			}
		},
	)
}

func cleanContext() {
	x := 0
	ctx, cancel := context.WithCancel(context.Background())
	both(
		func() { x = 1; cancel() },
		func() { <-ctx.Done(); use(x) },
	)
}

func cleanAfterFunc() {
	x, done := 0, make(chan bool)
	x = 1
	time.AfterFunc(time.Millisecond, func() { x = 2; close(done) })
	<-done
	use(x)
}

func cleanTimer() {
	x, done := 0, make(chan bool)
	t := time.NewTimer(time.Millisecond)
	go func() { <-t.C; x = 1; close(done) }()
	<-done
	use(x)
	tick := time.NewTicker(time.Millisecond)
	<-tick.C
	tick.Stop()
}

func cleanPipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x := 0
	both(
		func() { x = 1; w.Write([]byte("a")) },
		func() { r.Read(make([]byte, 1)); use(x) },
	)
}

func cleanFinalizer() {
	done := make(chan bool)
	func() {
		p := &point{x: 1}
		shared := new(int)
		*shared = 1
		runtime.SetFinalizer(p, func(p *point) { p.x = 2; *shared = 2; close(done) })
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func cleanGoexit() {
	x, done := 0, make(chan bool)
	go func() {
		defer close(done)
		x = 1
		runtime.Goexit()
	}()
	<-done
	use(x)
}

func cleanPull() {
	x := 0
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := range 10 {
			x = i
			if !yield(i) {
				return
			}
		}
	})
	for range 5 {
		next()
		x++
	}
	stop()
	use(x)
}

func cleanMergeSort() {
	s := make([]int, 300)
	for i := range s {
		s[i] = i * 7919 % 307
	}
	use(mergeSort(s))
}

func mergeSort(s []int) []int {
	if len(s) < 20 {
		for i := range s {
			for j := i; j > 0 && s[j] < s[j-1]; j-- {
				s[j], s[j-1] = s[j-1], s[j]
			}
		}
		return s
	}
	var a, b []int
	both(func() { a = mergeSort(s[:len(s)/2]) }, func() { b = mergeSort(s[len(s)/2:]) })
	out := make([]int, 0, len(s))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func cleanRWMutexTransitive() {
	var rw sync.RWMutex
	x, a, b := 0, make(chan bool), make(chan bool)
	go func() { rw.RLock(); x = 1; rw.RUnlock(); a <- true }()
	go func() { <-a; rw.RLock(); use(x); rw.RUnlock(); b <- true }()
	<-b
	rw.Lock()
	x = 3
	rw.Unlock()
}

// Locks are handed on with the memory that they guard.
func cleanLockInStruct() {
	type guarded struct {
		sync.Mutex
		m map[string]int
	}
	c := make(chan *guarded, 1)
	c <- &guarded{m: map[string]int{}}
	work := func() {
		for range 20 {
			g := <-c
			c <- g
			g.Lock()
			g.m["a"]++
			g.Unlock()
		}
	}
	both(work, work)
}

// What fails for want of a lock is over, and the goroutine's other locks count.
func cleanNilLocks() {
	var n int
	var mu sync.Mutex
	for _, use := range nilUses {
		increase := func() {
			failing(use)
			mu.Lock()
			n++
			mu.Unlock()
		}
		both(increase, increase)
	}
}

// nilUses are calls of methods of locks that are not there.
var nilUses = []func(){
	(*sync.Mutex)(nil).Lock, (*sync.Mutex)(nil).Unlock, func() { (*sync.Mutex)(nil).TryLock() },
	(*sync.RWMutex)(nil).Lock, (*sync.RWMutex)(nil).Unlock, func() { (*sync.RWMutex)(nil).TryLock() },
	(*sync.RWMutex)(nil).RLock, (*sync.RWMutex)(nil).RUnlock, func() { (*sync.RWMutex)(nil).TryRLock() },
	(*sync.WaitGroup)(nil).Done, (*sync.WaitGroup)(nil).Wait,
	func() { (*sync.Once)(nil).Do(func() {}) }, func() { (*sync.Pool)(nil).Get() }, func() { (*sync.Pool)(nil).Put(1) },
	func() { (*sync.Map)(nil).Load(1) }, (*sync.Cond)(nil).Signal,
}

// failing calls what panics.
func failing(f func()) {
	defer func() {
		if recover() == nil {
			panic("no panic")
		}
	}()
	f()
}
