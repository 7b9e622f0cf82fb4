// Command account takes money from an account that several people use.
//
// Bug: the balance is looked at under the lock and changed under it, but the lock is given back between the two.
// A report has to name property exclusive_pay.
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
