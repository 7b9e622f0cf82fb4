// What runs under the lock does not take it for reading again.
package main

import (
	"sync"
	"time"
)

type executor struct {
	mu   sync.RWMutex
	cond *sync.Cond
	n    int
}

func (e *executor) exec() int {
	e.cond.L.Lock()
	defer e.cond.L.Unlock()
	return e.cacheLocked()
}

func (e *executor) cacheLocked() int { return e.n }

func (e *executor) update() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n++
}

func main() {
	e := new(executor)
	e.cond = sync.NewCond(e.mu.RLocker())
	go e.update()
	e.exec()
	time.Sleep(100 * time.Millisecond)
}
