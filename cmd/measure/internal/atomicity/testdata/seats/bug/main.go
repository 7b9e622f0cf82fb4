// Command seats books seats in a theatre.
//
// Bug: a seat is found free in one critical section and booked in another, after it was paid for. Two can pay for the same seat.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Theatre has seats.
type Theatre struct {
	mu     sync.Mutex
	booked map[int]string
	double int
}

func (t *Theatre) free(seat int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, taken := t.booked[seat]
	return !taken
}

// charge takes money for a seat.
func charge(guest string, seat int) {
	fmt.Println(guest, "pays for seat", seat)
}

// Book books a seat, if it is free.
func (t *Theatre) Book(guest string, seat int) bool {
	if !t.free(seat) {
		return false
	}
	charge(guest, seat)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.booked[seat] != "" {
		t.double++
	}
	t.booked[seat] = guest
	return true
}

// Cancel gives a seat back.
func (t *Theatre) Cancel(seat int) {
	t.mu.Lock()
	delete(t.booked, seat)
	t.mu.Unlock()
}

func main() {
	t := &Theatre{booked: make(map[int]string)}
	var guests sync.WaitGroup
	guests.Go(func() {
		if t.Book("ann", 12) {
			t.Cancel(12)
		}
	})
	guests.Go(func() {
		time.Sleep(40 * time.Millisecond)
		t.Book("bob", 12)
	})
	guests.Go(func() {
		time.Sleep(80 * time.Millisecond)
		t.Book("eve", 14)
	})
	guests.Wait()
	if t.double > 0 {
		fmt.Println("booked twice")
		os.Exit(1)
	}
}
