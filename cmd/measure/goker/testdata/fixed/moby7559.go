// The lock is released before the next attempt.
package main

import (
	"errors"
	"sync"
	"time"
)

type proxy struct {
	mu    sync.Mutex
	conns int
}

func dial() error { return errors.New("no address") }

func (p *proxy) run() {
	for range 2 {
		p.mu.Lock()
		if err := dial(); err != nil {
			p.mu.Unlock()
			continue
		}
		p.conns++
		p.mu.Unlock()
	}
}

func main() {
	go new(proxy).run()
	time.Sleep(100 * time.Millisecond)
}
