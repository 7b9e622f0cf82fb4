// Command auction takes bids.
//
// Bug: who bids is compared with the highest bid, and becomes the highest bidder in a second critical section. Two can both
// be better than the one before.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type bid struct {
	who    string
	amount int
}

// Auction sells one thing.
type Auction struct {
	mu      sync.Mutex
	highest bid
}

// outbid tells the last bidder that he has to offer more.
func outbid(old, now bid) {
	fmt.Printf("%q: %q offers %d\n", old.who, now.who, now.amount)
}

// Bid offers an amount, and says whether it is the highest.
func (a *Auction) Bid(b bid) bool {
	a.mu.Lock()
	old := a.highest
	if b.amount <= old.amount {
		a.mu.Unlock()
		return false
	}
	a.mu.Unlock()
	outbid(old, b)
	a.mu.Lock()
	a.highest = b
	a.mu.Unlock()
	return true
}

func main() {
	var a Auction
	bids := []bid{{"ann", 10}, {"bob", 25}, {"eve", 20}, {"joe", 40}}
	var wg sync.WaitGroup
	for i, b := range bids {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 30 * time.Millisecond)
			a.Bid(b)
		})
	}
	wg.Wait()
	if a.highest.who != "joe" {
		fmt.Println("sold for too little to", a.highest.who)
		os.Exit(1)
	}
}
