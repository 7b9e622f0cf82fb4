// The program of the self test: it does everything once that the overlay should
// record, and nothing that can take long. Before each part it writes a record with the name of the capability whose
// patches the part needs.
package main

import (
	"iter"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe"
	"weak"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

const statement = 23 // the kind of a record

// Exit codes.
const (
	exitSeesVariables = 3
	exitNoRecords     = 4
	exitNobodyWaits   = 5
	exitFailed        = 6
)

func main() {
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "ANTICHAIN_") {
			os.Exit(exitSeesVariables)
		}
	}
	for _, part := range []struct {
		name string
		do   func()
	}{
		{"goroutines", goroutines}, {"channels", channels}, {"joint transfers", jointTransfers}, {"channel waits", channelWaits},
		{"atomics", atomics}, {"Mutex", mutexes}, {"RWMutex", rwMutexes}, {"WaitGroup", waitGroups}, {"Once", onces},
		{"Cond", conditions}, {"Pool", pools}, {"timers", timers}, {"coroutines", coroutines},
		{"cleanups", cleanups}, {"reuse of memory", reuse}, {"descriptors", descriptors}, {"connections", connections},
		{"signals", signals}, {"inner order", innerOrder}, {"memory accesses", memory},
		{"reachability", reachability}, {"tests", tests},
	} {
		if !emit(statement, 0, 0, 0, []byte(part.name)) {
			os.Exit(exitNoRecords)
		}
		part.do()
	}
}

// waits lets time go by until a goroutine is in a state.
func waits(state string) {
	buf := make([]byte, 1<<16)
	for range 20000 {
		if strings.Contains(string(buf[:runtime.Stack(buf, true)]), "["+state) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	os.Stderr.WriteString("no goroutine waits in state " + state + "\n")
	os.Exit(exitNobodyWaits)
}

// start runs f on a goroutine and returns a function that waits for its end, without synchronisation that is under test
// elsewhere.
func start(f func()) (join func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	return func() { <-done }
}

// fails calls a function that panics.
func fails(f func()) {
	defer func() {
		if recover() == nil {
			os.Exit(exitFailed)
		}
	}()
	f()
}

func goroutines() {
	n := runtime.NumGoroutine()
	start(func() {})()
	for runtime.NumGoroutine() > n { // it ends behind what it is waited for
		runtime.Gosched()
	}
}

func channels() {
	b, other, several := make(chan int, 1), make(chan int), make(chan int, 2)
	several <- 1
	b <- 1
	select {
	case b <- 0:
	default:
	}
	<-b
	select {
	case <-b:
	default:
	}
	b <- 1
	<-b
	select {
	case <-b:
	case <-other:
	default:
	}
	if len(several) != 1 {
		os.Exit(exitFailed)
	}
	join := start(func() { <-b }) // takes from a buffer that is empty
	waits("chan receive")
	b <- 2
	join()
	b <- 3
	join = start(func() { b <- 4 })
	waits("chan send")
	<-b
	<-b
	join()
	select {
	case b <- 5:
	case <-other:
	}
	select {
	case <-b:
	case <-other:
	}
	join = start(func() { <-b })
	waits("chan receive")
	close(b)
	join()
	<-b
	select {
	case <-b:
	default:
	}
	select {
	case <-b:
	case <-other:
	}
	reflect.ValueOf(b).Recv()
	fails(func() { b <- 6 })
	fails(func() {
		select {
		case b <- 7:
		case <-other:
		}
	})
	fails(func() { close(b) })
	var none chan int
	fails(func() { close(none) })
}

func jointTransfers() {
	c := make(chan int)
	join := start(func() { <-c })
	waits("chan receive")
	c <- 1
	join()
	join = start(func() { c <- 2 })
	waits("chan send")
	<-c
	join()
}

func channelWaits() {
	b, c, end := make(chan int, 1), make(chan int), make(chan int)
	for range 2 { // the second one fails
		select {
		case b <- 1:
		default:
		}
	}
	for range 2 {
		select {
		case <-b:
		default:
		}
	}
	select {
	case <-b:
	case <-c:
	default:
	}
	join := start(func() {
		select {
		case <-c:
		case <-end:
		}
	})
	waits("select")
	close(end)
	join()
	select {
	case <-end:
	case <-c:
	}
	end = make(chan int)
	join = start(func() {
		reflect.Select([]reflect.SelectCase{
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(end)},
		})
	})
	waits("select")
	close(end)
	join()
	join = start(func() { c <- 1 })
	waits("chan send")
	<-c
	join()
	join = start(func() { <-c })
	waits("chan receive")
	c <- 2
	join()
}

func atomics() {
	var n atomic.Int32
	var w atomic.Uint64
	var p atomic.Pointer[int]
	var v atomic.Value
	n.Store(1)
	n.Add(1)
	w.Load()
	w.CompareAndSwap(0, 1)
	p.Store(new(int))
	p.Swap(nil)
	p.CompareAndSwap(nil, new(int))
	v.Store(1)
	v.Load()
	start(func() { n.Load(); n.Add(1); w.Load(); p.Load() })()
}

func mutexes() {
	var mu sync.Mutex
	mu.Lock()
	join := start(func() { mu.Lock(); mu.Unlock() })
	waits("sync.Mutex.Lock")
	mu.TryLock()
	mu.Unlock()
	join()
	if mu.TryLock() {
		mu.Unlock()
	}
}

func rwMutexes() {
	var rw sync.RWMutex
	rw.RLock()
	join := start(func() { rw.Lock(); rw.Unlock() })
	waits("sync.RWMutex.Lock")
	rw.TryLock()
	rw.TryRLock()
	second := start(func() { rw.RLock(); rw.RUnlock() })
	waits("sync.RWMutex.RLock")
	rw.RUnlock()
	join()
	second()
	if rw.TryLock() {
		rw.Unlock()
	}
	if rw.TryRLock() {
		rw.RUnlock()
	}
}

func waitGroups() {
	var wg sync.WaitGroup
	wg.Add(1)
	join := start(wg.Wait)
	waits("sync.WaitGroup.Wait")
	wg.Done()
	join()
	wg.Go(func() {})
	wg.Wait()
	fails(func() { wg.Add(-1) })
}

func onces() {
	var once sync.Once
	begun, end := make(chan bool), make(chan bool)
	first := start(func() { once.Do(func() { close(begun); <-end }) })
	<-begun
	second := start(func() { once.Do(func() {}) })
	waits("sync.Mutex.Lock")
	close(end)
	first()
	second()
	once.Do(func() {})
}

func conditions() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	cond.Signal()
	cond.Broadcast()
	wait := func() { mu.Lock(); cond.Wait(); mu.Unlock() }
	for _, wake := range []func(){cond.Signal, cond.Broadcast} {
		join := start(wait)
		waits("sync.Cond.Wait")
		wake()
		join()
	}
}

func pools() {
	p := sync.Pool{New: func() any { return new([64]int) }}
	var mu sync.Mutex
	for range 20 {
		x := p.Get()
		mu.Lock() // between two records of other kinds neither is idle
		p.Put(x)
		mu.Unlock()
	}
}

func timers() {
	c := make(chan int, 2)
	time.AfterFunc(0, func() { c <- 1 })
	<-c
	t := time.NewTimer(time.Hour)
	t.Reset(0)
	<-t.C
	t.Reset(time.Hour)
	t.Stop()
	t.Stop()
}

// weakly is the only way to what the third goroutine of reachability waits for, and group is what
// the fourth one waits for.
var (
	weakly weak.Pointer[box]
	group  sync.WaitGroup
)

type box struct {
	c  chan int
	mu sync.Mutex
}

// reachability leaves goroutines that wait when the program ends, beside one that sleeps. Nothing
// leads to the channel of the first one and the Mutex of the second one.
func reachability() {
	c, locked, b := make(chan int), new(box), &box{c: make(chan int)}
	go func() { <-c }()
	locked.mu.Lock()
	go locked.mu.Lock()
	weakly = weak.Make(b)
	go func() {
		<-b.c
		runtime.KeepAlive(b)
	}()
	group.Add(1)
	go group.Wait()
	go time.Sleep(time.Hour)
	waits("sync.Mutex.Lock")
	waits("chan receive")
	waits("sync.WaitGroup.Wait")
	waits("sleep")
}

// tests runs a test with a bubble, since a bubble belongs to one, and does not return.
func tests() {
	test := func(t *testing.T) {
		emit(statement, 0, 0, 0, []byte("bubbles"))
		synctest.Test(t, func(t *testing.T) {
			go time.Sleep(time.Hour)
			time.Sleep(2 * time.Hour)
			synctest.Wait()
		})
		emit(statement, 0, 0, 0, []byte("reachability")) // which is found out in the end
	}
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "Bubble", F: test}}, nil, nil)
}

func coroutines() {
	next, stop := iter.Pull(func(yield func(int) bool) { yield(1) })
	next()
	next()
	stop()
}

//go:noinline
func drop(cleaned *bool) {
	x := new([100]int)
	runtime.AddCleanup(x, func(done *bool) { *done = true }, cleaned)
}

func cleanups() {
	cleaned := new(bool)
	drop(cleaned)
	collect(cleaned)
}

// collect collects garbage a few times, or until what it is for has happened.
func collect(done *bool) {
	for range 20 {
		runtime.GC()
		if *done {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

//go:noinline
func use() {
	for range 100 {
		mu := new(sync.Mutex)
		mu.Lock()
		mu.Unlock()
	}
}

func reuse() {
	use()
	runtime.GC()
	runtime.GC()
	use()
	runtime.GC()
}

func descriptors() {
	f, err := os.Open("/dev/null")
	if err != nil {
		os.Exit(exitFailed)
	}
	f.Close()
	f.Read(make([]byte, 1))
}

func connections() {
	r, w, err := os.Pipe()
	if err != nil {
		os.Exit(exitFailed)
	}
	w.Write([]byte("x"))
	r.Read(make([]byte, 1))
}

func signals() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR2)
	signal.Stop(c)
}

// innerOrder does what is not to be recorded.
func innerOrder() {
	var p [2]int
	if syscall.Pipe(p[:]) != nil {
		os.Exit(exitFailed)
	}
	syscall.Write(p[1], []byte("x"))
	syscall.Read(p[0], make([]byte, 1))
}

func memory() {
	m := map[int]int{1: 1}
	start(func() { m[2] = 2 })()
	m[1] = len(m)
}
