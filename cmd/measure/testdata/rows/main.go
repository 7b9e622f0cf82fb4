// Command rows times one kind of operation: rows ROW ITERATIONS. It prints when it began, and the nanoseconds that an operation took, of
// time and of processor time.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// rows by name: each function does its operation n times.
var rows = map[string]func(n int){
	"chan":      ping,
	"buffered":  buffered,
	"mutex":     uncontended,
	"contended": contended,
	"rwmutex":   readWrite,
	"waitgroup": waitGroup,
	"atomic":    add,
	"select":    twoCases,
	"context":   cancel,
	"http":      roundTrips,
	"load":      load,
}

func main() {
	begun := time.Now()
	if len(os.Args) != 3 {
		fail("usage: rows ROW ITERATIONS")
	}
	operation, ok := rows[os.Args[1]]
	if !ok {
		fail("no row " + os.Args[1])
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil || n <= 0 {
		fail("iterations: " + os.Args[2])
	}
	took, cpu := measure(operation, n)
	fmt.Printf("begun %d\nns/op %.2f\ncpu/op %.2f\n", begun.UnixNano(), float64(took.Nanoseconds())/float64(n), float64(cpu.Nanoseconds())/float64(n))
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "rows:", why)
	os.Exit(2)
}

// measure is the function that the specification names.
func measure(operation func(int), n int) (took, cpu time.Duration) {
	operation(1 + n/100) // warm up
	start, used := time.Now(), processorTime()
	operation(n)
	return time.Since(start), processorTime() - used
}

// processorTime is what this process has had.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		fail(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ping(n int) {
	there, back := make(chan int), make(chan int)
	go func() {
		for i := range there {
			back <- i
		}
		close(back)
	}()
	for i := range n {
		there <- i
		<-back
	}
	close(there)
	<-back
}

func buffered(n int) {
	c := make(chan int, 64)
	for i := range n {
		c <- i
		<-c
	}
}

var counter int

func uncontended(n int) {
	var m sync.Mutex
	for range n {
		m.Lock()
		counter++
		m.Unlock()
	}
}

func contended(n int) {
	var m sync.Mutex
	var done sync.WaitGroup
	for i := range 2 {
		done.Go(func() {
			for range (n + i) / 2 {
				m.Lock()
				counter++
				m.Unlock()
			}
		})
	}
	done.Wait()
}

func readWrite(n int) {
	var m sync.RWMutex
	for i := range n {
		if i%4 == 0 {
			m.Lock()
			counter++
			m.Unlock()
		} else {
			m.RLock()
			_ = counter
			m.RUnlock()
		}
	}
}

func waitGroup(n int) {
	for range n {
		var done sync.WaitGroup
		done.Add(1)
		go func() { done.Done() }()
		done.Wait()
	}
}

var sum atomic.Int64 // one on the stack would have no records

func add(n int) {
	for range n {
		sum.Add(1)
	}
}

func twoCases(n int) {
	a, b := make(chan int, 1), make(chan int, 1)
	for i := range n {
		select {
		case a <- i:
		case b <- i:
		}
		select {
		case <-a:
		case <-b:
		}
	}
}

func cancel(n int) {
	for range n {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		<-ctx.Done()
	}
}

func hello(path string) (text string) { return "hello, " + path }

func roundTrips(n int) { requests(1, n) }

func load(n int) { requests(16, n) }

// requests sends n requests to a server, from that many clients at the same time.
func requests(clients, n int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	var server http.Server
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, hello(r.URL.Path))
	})
	go server.Serve(listener)
	defer server.Close()
	url := "http://" + listener.Addr().String() + "/world"
	if clients == 1 {
		request(url, n)
		return
	}
	var done sync.WaitGroup
	for i := range clients {
		done.Go(func() { request(url, (n+i)/clients) })
	}
	done.Wait()
}

// request sends n requests over one connection.
func request(url string, n int) {
	client := http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for range n {
		response, err := client.Get(url)
		if err != nil {
			fail(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			fail(err)
		}
		response.Body.Close()
	}
}
