// Command stock sells what is left of a thing.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Stock is how many there are.
type Stock struct {
	mu       sync.Mutex
	left     int
	oversold bool
}

// take takes one away.
func (s *Stock) take() {
	s.left--
	s.oversold = s.oversold || s.left < 0
}

// pack makes a parcel.
func pack(customer int) {
	fmt.Println("a parcel for customer", customer)
}

// sell sells one.
func (s *Stock) sell(customer int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.left
	if left == 0 {
		return false
	}
	pack(customer)
	s.take()
	return true
}

func main() {
	s := &Stock{left: 1}
	var customers sync.WaitGroup
	for i := range 2 {
		customers.Go(func() {
			time.Sleep(time.Duration(i) * 80 * time.Millisecond)
			s.sell(i)
		})
	}
	customers.Go(func() {
		time.Sleep(40 * time.Millisecond)
		s.mu.Lock()
		s.left++
		s.mu.Unlock()
	})
	customers.Wait()
	fmt.Println(s.left, "left")
	if s.oversold {
		os.Exit(1)
	}
}
