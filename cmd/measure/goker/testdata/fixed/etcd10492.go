// The lessor is unlocked when it is checkpointed, which locks it.
package main

import (
	"sync"
	"time"
)

type lessor struct {
	mu         sync.RWMutex
	checkpoint func()
	n          int
}

func (l *lessor) renew() {
	l.mu.Lock()
	checkpoint := l.checkpoint
	l.mu.Unlock()
	if checkpoint != nil {
		checkpoint()
	}
}

func main() {
	go func() {
		l := new(lessor)
		l.mu.Lock()
		l.checkpoint = func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.n++
		}
		l.mu.Unlock()
		l.renew()
	}()
	time.Sleep(100 * time.Millisecond)
}
