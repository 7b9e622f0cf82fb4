// Command bank moves money between accounts, in both directions at once.
//
// A transfer locks the account that it takes from and then the one that it gives to, so two
// transfers in opposite directions can wait for each other for ever. It takes two of them that have
// locked their first account at the same moment.
package main

import (
	"fmt"
	"sync"
)

// account holds money.
type account struct {
	mu      sync.Mutex
	balance int
}

// transfer moves an amount from one account to another.
func transfer(from, to *account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	alice, bob := &account{balance: 100}, &account{balance: 100}
	var wg sync.WaitGroup
	wg.Go(func() { transfer(alice, bob, 30) })
	wg.Go(func() { transfer(bob, alice, 10) })
	wg.Wait()
	fmt.Println("alice has", alice.balance, "and bob has", bob.balance)
}
