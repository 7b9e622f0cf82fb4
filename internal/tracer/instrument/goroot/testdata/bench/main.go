// Micro-benchmarks of what tracing makes dearer. Prints one line "name ns/op" each;
// with an argument only those whose name begins with it.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type benchmark struct {
	name string
	run  func(n int)
}

var benchmarks = []benchmark{
	{"ping", func(n int) {
		c, d := make(chan int), make(chan int)
		go func() {
			for range n {
				d <- <-c
			}
		}()
		for range n {
			c <- 1
			<-d
		}
	}},
	{"buffered", func(n int) {
		c := make(chan int, 8)
		for range n {
			c <- 1
			<-c
		}
	}},
	{"select", func(n int) {
		a, b := make(chan int, 1), make(chan int, 1)
		for range n {
			select {
			case a <- 1:
			case b <- 1:
			}
			select {
			case <-a:
			case <-b:
			}
		}
	}},
	{"select-ping", func(n int) {
		c, d, stop := make(chan int), make(chan int), make(chan int)
		go func() {
			for range n {
				select {
				case v := <-c:
					d <- v
				case <-stop:
				}
			}
		}()
		for range n {
			select {
			case c <- 1:
			case <-stop:
			}
			<-d
		}
	}},
	{"poll", func(n int) {
		c := make(chan int)
		for range n {
			select {
			case <-c:
			default:
			}
		}
	}},
	{"mutex", func(n int) {
		var mu sync.Mutex
		for range n {
			mu.Lock()
			mu.Unlock()
		}
	}},
	{"mutex-contended", func(n int) {
		var mu sync.Mutex
		both(n, func() {
			mu.Lock()
			mu.Unlock()
		})
	}},
	{"rwmutex-read", func(n int) {
		var mu sync.RWMutex
		for range n {
			mu.RLock()
			mu.RUnlock()
		}
	}},
	{"once", func(n int) {
		var once sync.Once
		for range n {
			once.Do(func() {})
		}
	}},
	{"atomic-add", func(n int) {
		var x atomic.Int64
		for range n {
			x.Add(1)
		}
	}},
	{"atomic-contended", func(n int) {
		var x atomic.Int64
		both(n, func() { x.Add(1) })
	}},
	{"atomic-load", func(n int) {
		var x atomic.Int64
		for range n {
			x.Load()
		}
	}},
	{"go-waitgroup", func(n int) {
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {})
			wg.Wait()
		}
	}},
	{"context-cancel", func(n int) {
		for range n {
			ctx, cancel := context.WithCancel(context.Background())
			_ = ctx
			cancel()
		}
	}},
	{"pool", func(n int) {
		pool := sync.Pool{New: func() any { return new(int) }}
		for range n {
			pool.Put(pool.Get())
		}
	}},
	{"http", func(n int) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return
		}
		defer l.Close()
		go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
		for range n {
			resp, err := http.Get("http://" + l.Addr().String())
			if err != nil {
				panic(err)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}},
}

func both(n int, f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n / 2 {
				f()
			}
		})
	}
	wg.Wait()
}

// measure runs f for about 100 ms, five times, and returns the best.
func measure(f func(int)) float64 {
	n := 1
	for {
		start := time.Now()
		f(n)
		took := time.Since(start)
		if took > 20*time.Millisecond || n > 1e9 {
			n = max(1, int(float64(n)*float64(100*time.Millisecond)/float64(took+1)))
			break
		}
		n *= 4
	}
	best := 0.0
	for range 5 {
		start := time.Now()
		f(n)
		if ns := float64(time.Since(start)) / float64(n); best == 0 || ns < best {
			best = ns
		}
	}
	return best
}

func main() {
	for _, b := range benchmarks {
		if len(os.Args) < 2 || strings.HasPrefix(b.name, os.Args[1]) {
			fmt.Printf("%s %.1f\n", b.name, measure(b.run))
		}
	}
}
