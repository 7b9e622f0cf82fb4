// Command bank moves money between accounts, and adds all of it up in the evening.
//
// Bug: money is taken away in one critical section and added in the next. Between the two it is in no account.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

var (
	mu       sync.Mutex
	accounts = map[string]int{"ann": 300, "bob": 200}
)

// record notes a transfer.
func record(from, to string, amount int) {
	fmt.Println(from, "gives", amount, "to", to)
}

// transfer moves money.
func transfer(from, to string, amount int) {
	mu.Lock()
	accounts[from] -= amount
	mu.Unlock()
	record(from, to, amount)
	mu.Lock()
	accounts[to] += amount
	mu.Unlock()
}

// sum adds up what is in the accounts.
func sum() (total int) {
	for _, balance := range accounts {
		total += balance
	}
	return total
}

// audit says how much there is.
func audit() int {
	mu.Lock()
	defer mu.Unlock()
	return sum()
}

func main() {
	var wg sync.WaitGroup
	total := 0
	wg.Go(func() { transfer("ann", "bob", 50) })
	wg.Go(func() {
		time.Sleep(40 * time.Millisecond)
		total = audit()
	})
	wg.Go(func() {
		time.Sleep(80 * time.Millisecond)
		transfer("bob", "ann", 20)
	})
	wg.Wait()
	fmt.Println("in all accounts:", total)
	if total != 500 {
		os.Exit(1)
	}
}
