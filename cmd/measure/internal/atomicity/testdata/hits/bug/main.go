// Command hits counts the visits of a page.
//
// Bug: the count is read in one critical section and written in another one, so what somebody else adds between them is lost.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

var (
	mu   sync.Mutex
	hits int
)

// next is the count after one more visit.
func next(n int) int { return n + 1 }

// visit counts a visit.
func visit() {
	mu.Lock()
	n := hits
	mu.Unlock()
	n = next(n)
	mu.Lock()
	hits = n
	mu.Unlock()
}

func main() {
	var visitors sync.WaitGroup
	for i := range 3 {
		visitors.Go(func() {
			time.Sleep(time.Duration(i) * 30 * time.Millisecond)
			visit()
		})
	}
	visitors.Wait()
	fmt.Println(hits, "visits")
	if hits != 3 {
		os.Exit(1)
	}
}
