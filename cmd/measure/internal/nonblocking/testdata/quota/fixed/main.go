// Command quota limits how much each user may upload.
package main

import (
	"fmt"
	"sync"
)

// Account is what one user has uploaded.
type Account struct {
	mu    sync.Mutex
	used  int
	limit int
}

// Charge adds to what is used and reports whether there was room.
func (a *Account) Charge(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.used+n > a.limit {
		return false
	}
	a.used += n
	return true
}

// Used returns how much is used.
func (a *Account) Used() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used
}

// upload charges an account for parts of a file.
func upload(a *Account, parts []int) (refused int) {
	for _, n := range parts {
		if !a.Charge(n) {
			refused++
		}
	}
	return refused
}

func main() {
	account := &Account{limit: 100}
	var uploads sync.WaitGroup
	for range 2 {
		uploads.Go(func() { upload(account, []int{10, 20}) })
	}
	uploads.Go(func() {
		if account.Used() > 90 {
			fmt.Println("nearly full")
		}
	})
	uploads.Wait()
	fmt.Println(account.Used(), "of", account.limit)
}
