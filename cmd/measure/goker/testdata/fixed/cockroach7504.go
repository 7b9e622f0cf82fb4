// The cache of names is unlocked before the lease is locked.
package main

import (
	"sync"
	"time"
)

type lease struct {
	mu   sync.Mutex
	refs int
}

type names struct {
	mu     sync.Mutex
	leases map[int]*lease
}

func (n *names) get(id int) {
	n.mu.Lock()
	l := n.leases[id]
	n.mu.Unlock()
	if l == nil {
		return
	}
	l.mu.Lock()
	l.refs++
	l.mu.Unlock()
}

func (n *names) release(id int, l *lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.mu.Lock()
	delete(n.leases, id)
	n.mu.Unlock()
}

func main() {
	l := new(lease)
	n := &names{leases: map[int]*lease{0: l}}
	go n.get(0)
	time.Sleep(10 * time.Millisecond)
	go n.release(0, l)
	time.Sleep(100 * time.Millisecond)
}
