// Command wallet adds the interest to an account that its owner uses.
//
// Bug: the interest is worked out of a balance that was read before, and the new balance takes the place of what was paid in meanwhile.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Account has a balance in cents.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Balance returns what is there.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *Account) set(balance int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = balance
}

// Deposit pays in.
func (a *Account) Deposit(amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pay(amount)
}

func (a *Account) pay(amount int) {
	a.balance += amount
}

// interest is 2 % of a balance.
func interest(balance int) int {
	return balance * 2 / 100
}

// AddInterest pays the interest.
func (a *Account) AddInterest() {
	balance := a.Balance()
	a.set(balance + interest(balance))
}

func main() {
	a := &Account{balance: 10000}
	var wg sync.WaitGroup
	wg.Go(a.AddInterest)
	wg.Go(func() {
		time.Sleep(50 * time.Millisecond)
		a.Deposit(500)
	})
	wg.Wait()
	fmt.Println("balance:", a.balance)
	if a.balance < 10700 {
		os.Exit(1)
	}
}
