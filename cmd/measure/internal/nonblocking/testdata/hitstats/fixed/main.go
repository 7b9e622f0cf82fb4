// Command hitstats serves pages and reports which ones were asked for.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Stats counts requests by path.
type Stats struct {
	mu     sync.Mutex
	byPath map[string]int
	total  int
	next   http.Handler
}

// ServeHTTP counts a request and hands it on.
func (s *Stats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.byPath[r.URL.Path]++
	s.total++
	s.mu.Unlock()
	s.next.ServeHTTP(w, r)
}

// Report says how many requests there were.
func (s *Stats) Report() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%d requests for %d pages", s.total, len(s.byPath))
}

func hello(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, "hello from", r.URL.Path)
}

func main() {
	stats := &Stats{byPath: make(map[string]int), next: http.HandlerFunc(hello)}
	var clients sync.WaitGroup
	for _, path := range []string{"/", "/news", "/about", "/"} {
		clients.Go(func() {
			stats.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
		})
	}
	clients.Wait()
	fmt.Println(stats.Report())
}
