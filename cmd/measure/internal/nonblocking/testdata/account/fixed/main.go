// Command account takes money from an account that several people use.
package main

import (
	"errors"
	"fmt"
	"sync"
)

var errFunds = errors.New("not enough money")

// Account has a balance.
type Account struct {
	mu      sync.Mutex
	balance int
	use     sync.Mutex
}

// Balance returns how much is there.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

// add changes the balance.
func (a *Account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

// pay takes money if there is enough.
func (a *Account) pay(amount int) error {
	if a.Balance() < amount {
		return errFunds
	}
	a.add(-amount)
	return nil
}

// Withdraw is what customers call.
func (a *Account) Withdraw(amount int) error {
	a.use.Lock()
	defer a.use.Unlock()
	return a.pay(amount)
}

func main() {
	account := &Account{balance: 100}
	results := make(chan error, 2)
	for range 2 {
		go func() { results <- account.Withdraw(80) }()
	}
	refused := 0
	for range 2 {
		if err := <-results; err != nil {
			refused++
		}
	}
	fmt.Println("refused at most:", max(1, refused))
}
