// Command idgen gives numbers to invoices.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Numbers gives out numbers.
type Numbers struct {
	mu   sync.Mutex
	last int
}

// label writes a number as invoices show it.
func label(number int) string {
	return fmt.Sprintf("2024-%04d", number)
}

// New gives out a number.
func (n *Numbers) New() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	number := n.last + 1
	text := label(number)
	n.last = number
	return text
}

func main() {
	var numbers Numbers
	labels := make([]string, 4)
	var clerks sync.WaitGroup
	for i := range labels {
		clerks.Go(func() {
			time.Sleep(time.Duration(4-i) * 25 * time.Millisecond)
			labels[i] = numbers.New()
		})
	}
	clerks.Wait()
	seen := make(map[string]bool)
	for _, l := range labels {
		seen[l] = true
	}
	fmt.Println(len(seen), "different numbers")
	if len(seen) != len(labels) {
		os.Exit(1)
	}
}
