// Command ledger moves money between accounts, and checks that none is lost.
package main

import (
	"fmt"
	"sync"
)

// Balance is one account.
type Balance struct {
	mu sync.Mutex
	n  int
}

func (b *Balance) add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += n
}

func (b *Balance) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// Ledger has all accounts.
type Ledger struct {
	accounts []*Balance
	mu       sync.RWMutex
}

// move takes money from one account and gives it to another.
func (l *Ledger) move(from, to, n int) {
	l.accounts[from].add(-n)
	l.accounts[to].add(n)
}

// total adds up all accounts.
func (l *Ledger) total() int {
	sum := 0
	for _, a := range l.accounts {
		sum += a.get()
	}
	return sum
}

// Transfer is what customers do.
func (l *Ledger) Transfer(from, to, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.move(from, to, n)
}

// Audit reports whether the money is all there.
func (l *Ledger) Audit(want int) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.total() == want
}

func main() {
	l := &Ledger{accounts: []*Balance{{n: 50}, {n: 50}, {n: 50}}}
	var wg sync.WaitGroup
	wg.Go(func() { l.Transfer(0, 2, 20) })
	wg.Go(func() { l.Audit(150) })
	wg.Wait()
	fmt.Println("all there:", l.Audit(150))
}
