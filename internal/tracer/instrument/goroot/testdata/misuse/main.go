// A program that fails in the way its argument names. The comment is at the line that fails.
package main

import (
	"os"
	"reflect"
	"sync"
	"time"
)

var failures = map[string]func(){
	"send": func() {
		c := make(chan int, 1)
		close(c)
		c <- 1 // misuse 1 channel
	},
	"sendwoken": func() {
		c := make(chan int)
		go func() {
			time.Sleep(20 * time.Millisecond)
			close(c)
		}()
		c <- 1 // misuse 1 channel
	},
	"select": func() {
		c, d := make(chan int), make(chan int)
		close(c)
		select { // misuse 1
		case c <- 1:
		case <-d:
		}
	},
	"selectwoken": func() {
		c, d := make(chan int), make(chan int)
		go func() {
			time.Sleep(20 * time.Millisecond)
			close(c)
		}()
		select { // misuse 1
		case c <- 1:
		case <-d:
		}
	},
	"try": func() {
		c := make(chan int)
		close(c)
		select {
		case c <- 1: // misuse 1 channel
		default:
		}
	},
	"reflect": func() {
		c := make(chan int)
		close(c)
		reflect.ValueOf(c).Send(reflect.ValueOf(1)) // misuse 1 channel
	},
	"close": func() {
		c := make(chan int)
		close(c)
		close(c) // misuse 2 channel
	},
	"closenil": func() {
		var c chan int
		close(c) // misuse 3
	},
	"negative": func() {
		var wg sync.WaitGroup
		wg.Add(2)
		wg.Add(-1)
		wg.Add(-2) // misuse 4 waitgroup
	},
	"done": func() {
		var wg sync.WaitGroup
		wg.Done() // misuse 4 waitgroup
	},
	"reuse": func() { // Wait finds that the group is in use again
		for {
			var wg sync.WaitGroup
			wg.Add(1)
			go func() {
				time.Sleep(10 * time.Millisecond) // Wait comes first: else it would wait for ever
				wg.Done()
				wg.Add(1)
			}()
			wg.Wait() // misuse 5 waitgroup
		}
	},
	"recovered": func() { // what comes after such a failure is recorded
		for failed := false; !failed; {
			func() {
				defer func() { failed = recover() != nil }()
				var wg sync.WaitGroup
				wg.Add(1)
				go func() {
					time.Sleep(10 * time.Millisecond)
					wg.Done()
					wg.Add(1)
				}()
				wg.Wait()
			}()
		}
		var mu sync.Mutex
		mu.Lock()
	},
	"unlock": func() {
		var mu sync.Mutex
		mu.Unlock() // misuse 6 mutex
	},
	"unlocktwice": func() {
		var mu sync.Mutex
		mu.Lock()
		mu.Unlock()
		mu.Unlock() // misuse 6 mutex
	},
	"rwunlock": func() {
		var mu sync.RWMutex
		mu.RLock()
		mu.RUnlock()
		mu.Unlock() // misuse 6 rwmutex
	},
	"runlock": func() {
		var mu sync.RWMutex
		mu.RLock()
		mu.RUnlock()
		mu.RUnlock() // misuse 7 rwmutex
	},
}

func main() {
	failures[os.Args[1]]()
}
