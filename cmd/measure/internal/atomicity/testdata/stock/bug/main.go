// Command stock sells what is left of a thing.
//
// Bug: how many are left is looked at before the sale, and the sale is another critical section. The last one can be sold twice.
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

// Left returns how many are left.
func (s *Stock) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
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
	left := s.Left()
	if left == 0 {
		return false
	}
	pack(customer)
	s.mu.Lock()
	s.take()
	s.mu.Unlock()
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
