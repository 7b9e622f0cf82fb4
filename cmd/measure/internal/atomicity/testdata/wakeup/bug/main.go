// Command wakeup lets a goroutine sleep until there is something to do.
//
// Bug: whether there is something to do is looked at in one critical section, and that it sleeps is noted in the next. What
// comes between wakes nobody.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Bell wakes a sleeper.
type Bell struct {
	mu                       sync.Mutex
	rung, sleeping, awakened bool
}

// ring notes that there is something to do. It needs the lock.
func (b *Bell) ring() {
	b.rung = true
	if b.sleeping {
		b.awakened = true
	}
}

// Ring wakes the sleeper.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ring()
}

// undress is what one does before one sleeps.
func undress() {
	fmt.Println("good night")
}

func (b *Bell) isAwake() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.awakened
}

// Sleep sleeps until the bell rings, but not for ever.
func (b *Bell) Sleep() bool {
	b.mu.Lock()
	if b.rung {
		b.mu.Unlock()
		return true
	}
	b.mu.Unlock()
	undress()
	b.mu.Lock()
	b.sleeping = true
	b.mu.Unlock()
	for range 40 {
		if b.isAwake() {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

func main() {
	var b Bell
	var wg sync.WaitGroup
	var ok bool
	wg.Go(func() { ok = b.Sleep() })
	wg.Go(func() {
		time.Sleep(70 * time.Millisecond)
		b.Ring()
	})
	wg.Wait()
	if !ok {
		fmt.Println("nobody woke the sleeper")
		os.Exit(1)
	}
}
