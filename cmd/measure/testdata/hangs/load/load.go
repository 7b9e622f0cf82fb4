// Package load is a busy web server, beside which a program runs.
package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	clients = 4
	pause   = 5 * time.Millisecond // of a client between two requests
	warm    = time.Second          // until the program starts
	copies  = 8                    // of that, as few bugs happen each time
	after   = 12 * time.Second     // until the server ends
)

// Beside serves requests, calls f meanwhile on several goroutines, and ends the program. It says
// when it calls f.
func Beside(f func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var served atomic.Int64
	store := &store{values: map[string]int{}}
	go http.Serve(l, store)
	for range clients {
		go func() {
			for ; ; time.Sleep(pause) {
				request("http://"+l.Addr().String(), &served)
			}
		}()
	}
	time.Sleep(warm)
	fmt.Fprintln(os.Stderr, "load: begins")
	for range copies {
		go f()
	}
	time.Sleep(after)
	fmt.Fprintln(os.Stderr, "load: served", served.Load())
	os.Exit(0)
}

func request(address string, served *atomic.Int64) {
	answer, err := http.Get(address + "/value")
	if err != nil {
		return
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err == nil {
		served.Add(1)
	}
}

// store counts how often a value is asked for.
type store struct {
	mu     sync.Mutex
	values map[string]int
}

// ServeHTTP implements http.Handler.
func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.values[r.URL.Path]++
	value := s.values[r.URL.Path]
	s.mu.Unlock()
	fmt.Fprintln(w, value)
}
