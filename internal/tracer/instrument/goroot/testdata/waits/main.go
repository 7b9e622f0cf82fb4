// A program with one situation by name, of goroutines that wait and are woken, or never are.
package main

import (
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// waiting is the head of the stack of a goroutine that waits for another one.
var waiting = regexp.MustCompile(`^goroutine \d+ [^[]*\[(chan |select|sync\.)`)

// awaitWait waits until the goroutine waits in whose stack these words are.
func awaitWait(words string) {
	for text := make([]byte, 1<<20); ; time.Sleep(time.Millisecond) {
		stacks := string(text[:runtime.Stack(text, true)])
		for stack := range strings.SplitSeq(stacks, "\n\n") {
			if strings.Contains(stack, words) && waiting.MatchString(stack) {
				return
			}
		}
	}
}

// later calls f in a goroutine when main waits.
func later(f func()) {
	go func() {
		awaitWait("main.main()")
		f()
	}()
}

var situations = map[string]func(){
	"send": func() {
		c := make(chan int)
		later(func() { <-c })
		c <- 1 // block send
	},
	"sendbuffered": func() {
		c := make(chan int, 1)
		c <- 1
		later(func() { <-c })
		c <- 1 // block send
	},
	"recv": func() {
		c := make(chan int)
		later(func() { c <- 1 })
		<-c // block recv
	},
	"recvclosed": func() {
		c := make(chan int)
		later(func() { close(c) })
		<-c // block recv
	},
	"select": func() {
		c, d := make(chan int), make(chan int, 1)
		var n chan int
		later(func() { d <- 1 })
		select { // block select
		case <-c:
		case c <- 1:
		case <-d:
		case n <- 1:
		}
	},
	"reflect": func() {
		c, d := make(chan int), make(chan int, 1)
		later(func() { d <- 1 })
		reflect.Select([]reflect.SelectCase{ // block select
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(d)},
		})
	},
	"many": func() { // more cases than are listed
		var cases []reflect.SelectCase
		for range 2000 {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))})
		}
		later(func() { cases[1999].Chan.Close() })
		reflect.Select(cases) // block select
	},
	"mutex": func() {
		var mu sync.Mutex
		mu.Lock()
		later(mu.Unlock)
		mu.Lock() // block lock
	},
	"rlock": func() {
		var mu sync.RWMutex
		mu.Lock()
		later(mu.Unlock)
		mu.RLock() // block rlock
	},
	"lockread": func() {
		var mu sync.RWMutex
		mu.RLock()
		later(mu.RUnlock)
		mu.Lock() // block lock
	},
	"lockwritten": func() {
		var mu sync.RWMutex
		mu.Lock()
		later(mu.Unlock)
		mu.Lock() // block lock
	},
	"waitgroup": func() {
		var wg sync.WaitGroup
		wg.Add(1)
		later(wg.Done)
		wg.Wait() // block wait
	},
	"cond": func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		later(c.Signal)
		mu.Lock()
		c.Wait() // block condwait
		mu.Unlock()
	},

	// Nobody ends these.
	"forever/nilsend": func() {
		var c chan int
		c <- 1 // block send
	},
	"forever/nilrecv": func() {
		var c chan int
		<-c // block recv
	},
	"forever/select": func() {
		select {} // block select
	},
	"forever/nilcases": func() {
		var c, d chan int
		select { // block select
		case <-c:
		case d <- 1:
		}
	},
	"forever/reflect": func() {
		reflect.Select(nil) // block select
	},
	"forever/relock": func() {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock() // block lock
	},
	"forever/deep": func() {
		c := make(chan int)
		var deep func(n int)
		deep = func(n int) {
			if n > 0 {
				deep(n - 1)
			}
			<-c // block recv
		}
		deep(20)
	},

	// Select statements that do not wait.
	"decided/case": func() {
		c, d := make(chan int, 1), make(chan int)
		select { // select
		case c <- 1:
		case <-d:
		}
	},
	"decided/closed": func() {
		c, d := make(chan int, 1), make(chan int)
		close(c)
		select { // select
		case <-c:
		case d <- 1:
		}
	},
	"decided/tried": func() {
		c, d := make(chan int, 1), make(chan int)
		c <- 1
		select { // select tried
		case <-c:
		case <-d:
		default:
		}
	},
	"decided/default": func() {
		c, d := make(chan int, 1), make(chan int)
		select { // select default
		case <-c:
		case <-d:
		default:
		}
	},
	"decided/trysend": func() {
		c := make(chan int, 1)
		select {
		case c <- 1: // select tried
		default:
		}
	},
	"decided/tryrecv": func() {
		c := make(chan int, 1)
		close(c)
		select {
		case <-c: // select tried
		default:
		}
	},
	"decided/nosend": func() {
		c := make(chan int)
		select {
		case c <- 1: // select default
		default:
		}
	},
	"decided/poll": func() {
		c, d := make(chan int), make(chan int)
		for i := range 50 {
			if i%10 == 0 { // these are told
				select {
				case d <- 1:
				default:
				}
			}
			select {
			case <-c: // select default
			default:
			}
		}
	},
	"decided/norecv": func() {
		c := make(chan int)
		select {
		case <-c: // select default
		default:
		}
	},
}

// stress has goroutines meet at channels, in select statements, at a WaitGroup and at a lock.
func stress() {
	const tasks, rounds = 8, 300
	c, d, b := make(chan int), make(chan int), make(chan int, 2)
	stop := make(chan bool)
	var mu sync.Mutex
	var rw sync.RWMutex
	for range 20 {
		var wg sync.WaitGroup
		for t := range tasks {
			wg.Go(func() {
				for i := range rounds / 20 {
					switch t % 4 {
					case 0:
						c <- i
						b <- i
					case 1:
						<-c
						<-b
					case 2:
						select {
						case d <- i:
						case <-stop:
						}
						rw.RLock()
						rw.RUnlock()
					case 3:
						select {
						case <-d:
						case <-stop:
						}
						rw.Lock()
						rw.Unlock()
					}
					mu.Lock()
					mu.Unlock()
				}
			})
		}
		wg.Add(2)
		go wg.Done()
		go wg.Add(-1)
		go wg.Wait()
		wg.Wait()
	}
}

// Usage: waits SITUATION [exit|kill]. With the second argument the program ends in that way while
// another goroutine is in the situation.
func main() {
	if os.Args[1] == "stress" {
		stress()
		return
	}
	f := situations[os.Args[1]]
	if len(os.Args) > 2 {
		go f()
		awaitWait("created by main.main ")
		if os.Args[2] == "kill" {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		os.Exit(3)
	}
	f()
}
