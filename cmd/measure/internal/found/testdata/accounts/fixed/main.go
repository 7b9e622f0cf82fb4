// Accounts are read by all, and at times written by one that has read.
package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	mu      sync.RWMutex
	balance int
	audits  int
}

func (a *account) record() {
	a.mu.Lock()
	a.audits++
	a.mu.Unlock()
}

func (a *account) each(f func(int)) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	f(a.balance)
}

func main() {
	a, b := &account{balance: 1}, &account{balance: 2}
	var wg sync.WaitGroup
	wg.Go(func() { a.each(func(int) { b.record() }) })
	wg.Go(func() {
		time.Sleep(5 * time.Millisecond)
		b.each(func(int) {})
		a.record()
	})
	wg.Wait()
	fmt.Println(a.audits, b.audits)
}
