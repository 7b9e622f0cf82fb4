// Command wallet adds the interest to an account that its owner uses.
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
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += interest(a.balance)
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
