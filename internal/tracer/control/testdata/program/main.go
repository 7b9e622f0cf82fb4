// Command program does, for ever, what its argument says. Each kind of work counts what it
// has done, so that a checker can see whether it goes on.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	counter int // guarded by mu, or by being in one goroutine only
	mu      sync.Mutex

	atomicCount atomic.Int64
	ready       atomic.Bool
	small       int8 = 5
	byteSize    uint8
	ratio       float32 = 0.5
	wide        float64
	name        = "anna"
	enabled     bool
	ages        = map[string]int{"anna": 30, "x y]": 7}
	queue       = &Queue{items: []Item{{Name: "a", n: 1}, {Name: "b", n: 2}}, grid: [2][2]int{{1, 2}, {3, 4}}}
	list        *Queue
	any1        any = Item{Name: "in", n: 9}
	pause       time.Duration
	stop        = make(chan bool)
)

// Queue has fields of its own and of a type inside.
type Queue struct {
	Base
	items []Item
	grid  [2][2]int
	next  *Queue
}

// Base is embedded.
type Base struct{ id uint16 }

// Item has a field that is not exported.
type Item struct {
	Name string
	n    int
}

// step is what the specification traces.
func step() { counter++ }

// locked counts under a lock: two records each time.
func locked() {
	for {
		mu.Lock()
		step()
		mu.Unlock()
	}
}

// busy is named by the specification, the fields that follow are not: they are changed
// without a record.
var busy struct {
	named bool
	spins int
	big   map[[500]string]int
}

// spin counts without any record; no function call lets the scheduler in.
func spin() {
	for {
		busy.spins++
	}
}

// churn starts goroutines that end at once.
func churn() {
	for {
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { atomicCount.Add(1) })
		}
		wg.Wait()
	}
}

// tick counts when timers fire.
func tick() {
	time.AfterFunc(time.Millisecond, func() { atomicCount.Add(1); tick() })
}

// pipe passes bytes through the system.
func pipe() {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		panic(err)
	}
	go func() {
		for {
			syscall.Write(fds[1], []byte{1})
			atomicCount.Add(1)
		}
	}()
	var b [1]byte
	for {
		syscall.Read(fds[0], b[:])
	}
}

// compare is in the middle of an operation on a map nearly always: it finds equal keys,
// which takes long as their strings are long and not the same.
func compare() {
	var keys [2][500]string
	for k := range keys {
		for i := range keys[k] {
			keys[k][i] = strings.Repeat("x", 1000)
		}
	}
	busy.big = map[[500]string]int{keys[0]: 0}
	for {
		busy.big[keys[1]]++
	}
}

var garbage [1000][]byte

func allocate() {
	for i := 0; ; i++ {
		garbage[i%len(garbage)] = make([]byte, 1000)
		atomicCount.Add(1)
	}
}

func collect() {
	for {
		runtime.GC()
		atomicCount.Add(1)
	}
}

func measure() {
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		atomicCount.Add(1)
	}
}

// leak has a goroutine wait for ever, and lets the garbage collector find that out if it can.
func leak() {
	go func() { <-make(chan bool) }()
	time.Sleep(10 * time.Millisecond)
	if leaks := pprof.Lookup("goroutineleak"); leaks != nil {
		leaks.WriteTo(io.Discard, 0)
	}
}

func main() {
	for _, work := range os.Args[1:] {
		switch work {
		case "locked":
			for range 4 {
				go locked()
			}
		case "spin":
			go spin()
		case "churn":
			go churn()
		case "tick":
			tick()
		case "pipe":
			go pipe()
		case "compare":
			go compare()
		case "allocate":
			go allocate()
		case "collect":
			go collect()
		case "measure":
			go measure()
		case "read":
			go syscall.Read(0, make([]byte, 1))
		case "many":
			for range 1000 {
				go func() { <-stop }()
			}
		case "leak":
			leak()
		case "line": // waits for the test
			fmt.Scanln()
		case "deadlock":
			<-stop
		case "end":
			return
		}
	}
	fmt.Println("ready")
	for !ready.Load() {
		if os.Getppid() == 1 && !ready.Load() { // the test has ended, and it has not killed the checker after it was ready
			return
		}
		time.Sleep(time.Second)
	}
	fmt.Println("told")
}
