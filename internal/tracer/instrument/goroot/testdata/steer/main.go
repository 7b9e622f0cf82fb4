// A program that prints what happened in which order, or has a bug that shows in few schedules.
package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var programs = map[string]func(){
	// Tasks that meet in every way, and tell in which order.
	"order": func() {
		var mu sync.Mutex
		var log []byte
		note := func(b byte) {
			mu.Lock()
			log = append(log, b)
			mu.Unlock()
		}
		a, b := make(chan byte), make(chan byte, 3)
		var n atomic.Int32
		var wg sync.WaitGroup
		for t := range 4 {
			name := byte('a' + t)
			wg.Go(func() {
				for range 5 {
					note(name)
					select {
					case a <- name:
					case x := <-a:
						note(x - 'a' + 'A')
					case b <- name:
					case x := <-b:
						note(x - 'a' + 'A')
					}
					note('0' + byte(n.Add(1)%10))
				}
				wg.Go(func() { note('.') })
				for k := range map[byte]int{name: 1, '!': 1, '?': 1, '+': 1} {
					note(k)
				}
				note('0' + byte(rand.Intn(10)))
			})
		}
		wg.Wait()
		fmt.Printf("%s %d\n", log, runtime.GOMAXPROCS(0))
	},
	// Tasks with maps whose order, and tries whose depth, depends on hash values of texts and addresses.
	"hashes": func() {
		var mu sync.Mutex
		var log []byte
		var known sync.Map
		var wg sync.WaitGroup
		for t := range 4 {
			name := string(rune('a' + t))
			wg.Go(func() {
				large := map[string]*byte{}
				for i := range 20 {
					large[name+string(rune('a'+i))] = new(byte)
				}
				for key, address := range large {
					known.Store(key, true)
					known.Store(address, key)
					mu.Lock()
					log = append(log, key...)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for key := range known.Range {
			if key, ok := key.(string); ok {
				log = append(log, key...)
			}
		}
		fmt.Printf("%s %d\n", log, runtime.GOMAXPROCS(0))
	},
	// Goroutines of which each writes a letter, if it gets so far before the program ends.
	"leaves": func() {
		for range 50 {
			go os.Stdout.WriteString("x")
		}
	},
	// How often 5000 that want the same lock try in vain.
	"crowd": func() {
		var lock, vain atomic.Int64
		var all sync.WaitGroup
		for range 5000 {
			all.Go(func() {
				for !lock.CompareAndSwap(0, 1) {
					vain.Add(1)
					runtime.Gosched()
				}
				lock.Store(0)
			})
		}
		all.Wait()
		fmt.Println(vain.Load())
	},
	// How many of six operations of a goroutine come before the only one of another goroutine.
	"short": func() {
		var n atomic.Int32
		seen := int32(0)
		go func() {
			for range 6 {
				n.Add(1)
			}
		}()
		go func() { seen = n.Add(100) % 100 }()
		time.Sleep(time.Millisecond) // all are done then, and main shares nothing with them
		fmt.Println(seen)
	},
	// The value that a goroutine reads at any time. The middle one of those written is rare.
	"reads": func() {
		var n atomic.Int32
		seen := int32(0)
		go func() {
			for range 8 {
				n.Add(1)
			}
			n.Store(50)
			for range 8 {
				n.Add(1)
			}
		}()
		go func() { seen = n.Load() }()
		time.Sleep(time.Millisecond) // as in short
		fmt.Println(seen)
	},
	// How often, of 300 times, a goroutine begins while who has started it takes a lock.
	"begins": func() {
		begun := 0
		for range 300 {
			begins, done := make(chan bool, 1), make(chan bool)
			go func() {
				var mu sync.Mutex
				go func() { begins <- true }()
				mu.Lock()
				begun += len(begins)
				mu.Unlock()
				done <- true
			}()
			<-done
			<-begins
		}
		fmt.Println(begun)
	},
	// Two locks in either order; shows if a task is held up between its two locks.
	"deadlock": func() {
		var a, b sync.Mutex
		var wg sync.WaitGroup
		wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
		wg.Wait()
	},
	// Shows only if three operations come in the one order that nobody expects.
	"depth": func() {
		var first, second, third atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 20 {
				second.Load()
			}
			if first.Load() && !second.Load() {
				third.Store(true)
			}
		})
		wg.Go(func() { first.Store(true); second.Store(true) })
		wg.Wait()
		if third.Load() {
			panic("bug")
		}
	},
	// A timeout that is never reached, unless somebody is slow.
	"timeout": func() {
		c := make(chan int, 1)
		go func() {
			var mu sync.Mutex
			for range 10 {
				mu.Lock()
				mu.Unlock()
			}
			c <- 1
		}()
		select {
		case <-c:
		case <-time.After(2 * time.Millisecond):
			panic("bug")
		}
	},
	// Goroutines sleep for hours, in turn and at the same time, and only that takes time.
	"sleeps": func() {
		start, day := time.Now(), time.Now().Round(0)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 3 {
					time.Sleep(time.Hour)
				}
			})
		}
		ticks := 0
		for t := time.NewTicker(time.Minute); ticks < 10; ticks++ {
			<-t.C
		}
		wg.Wait()
		fmt.Println(time.Since(start), time.Now().Round(0).Sub(day))
	},
	// Time goes by for those that wait for it in a loop.
	"busy": func() {
		for start := time.Now(); time.Since(start) < 5*time.Millisecond; {
		}
		var rung atomic.Bool
		time.AfterFunc(5*time.Millisecond, func() { rung.Store(true) })
		for !rung.Load() {
			runtime.Gosched()
		}
		var mu sync.Mutex
		late := false
		time.AfterFunc(5*time.Millisecond, func() {
			mu.Lock()
			late = true
			mu.Unlock()
		})
		for done := false; !done; {
			mu.Lock()
			done = late
			mu.Unlock()
		}
	},
	// Code takes time by the clock, and no deadline passes for that.
	"measures": func() {
		var rung atomic.Bool
		begun := time.Now()
		timer := time.AfterFunc(100*time.Microsecond, func() { rung.Store(true) })
		seen := map[int64]bool{}
		for range 400 {
			start := time.Now()
			if time.Since(start) <= 0 || seen[start.UnixMicro()] {
				panic("no time has passed")
			}
			seen[start.UnixMicro()] = true
		}
		runtime.Gosched()
		if rung.Load() || !timer.Stop() {
			panic("rung")
		}
		// Nor does any pass too early, by the clock.
		timer.Reset(time.Second)
		for start, n := time.Now(), 0; n < 3; n++ {
			again := time.NewTimer(time.Hour)
			time.Now()
			again.Reset(2 * time.Second)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			<-ctx.Done()
			cancel()
			if until, _ := ctx.Deadline(); time.Now().Before(until) || ctx.Err() != context.DeadlineExceeded {
				panic("early")
			}
			if <-again.C; time.Since(start) < time.Duration(n+1)*2*time.Second {
				panic("early")
			}
		}
		if !rung.Load() || time.Since(begun) > time.Minute {
			panic("late")
		}
	},
	// Sleeps of the same duration end in any order, also after readings of the clock.
	"together": func() {
		ended := make(chan string, 3)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		go func() {
			<-ctx.Done()
			ended <- "deadline"
		}()
		go func() {
			time.Sleep(time.Second)
			ended <- "sleep"
		}()
		go func() {
			for range 100 {
				time.Now()
			}
			<-time.After(time.Second)
			ended <- "timer"
		}()
		fmt.Println(<-ended)
	},
	// Whoever waits for something outside of the program gets real time.
	"outside": func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := exec.CommandContext(ctx, "sleep", "0.1").Run(); err != nil {
			panic(err)
		}
		asks, asked := pipe()
		answer, answers := pipe()
		go io.Copy(answers, asks)
		for range 10 {
			answer.SetReadDeadline(time.Now().Add(time.Second))
			fmt.Fprintln(asked, "x")
			if _, err := io.ReadFull(answer, make([]byte, 2)); err != nil {
				panic(err)
			}
		}
		time.Sleep(time.Hour) // without a question
	},
	// A goroutine that polls keeps none away for ever.
	"polls": func() {
		var done, plain atomic.Bool
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for !done.Load() {
				}
			})
			wg.Go(func() {
				for !plain.Load() {
					runtime.Gosched()
				}
			})
		}
		for range 100 {
			plain.Load()
		}
		done.Store(true)
		plain.Store(true)
		wg.Wait()
	},
	// Nor does a ring of messages that goes round for ever.
	"ring": func() {
		a, b := make(chan int), make(chan int)
		go func() {
			for x := range a {
				b <- x
			}
		}()
		go func() {
			for x := range b {
				a <- x
			}
		}()
		a <- 1
	},
}

func main() { programs[os.Args[1]]() }

func pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	return r, w
}
