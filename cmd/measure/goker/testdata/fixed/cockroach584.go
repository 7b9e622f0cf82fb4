// The lock is released also where the loop is left.
package main

import (
	"sync"
	"time"
)

type gossip struct {
	mu     sync.Mutex
	closed bool
}

// untilClosed polls.
func (g *gossip) untilClosed() {
	for {
		g.mu.Lock()
		closed := g.closed
		g.mu.Unlock()
		if closed {
			return
		}
	}
}

func main() {
	g := &gossip{closed: true}
	go func() {
		g.untilClosed()
		g.untilClosed()
	}()
	time.Sleep(100 * time.Millisecond)
}
