// The status is sent when the lock was released.
package main

import (
	"sync"
	"time"
)

type manager struct {
	mu       sync.RWMutex
	statuses int
	changes  chan bool
}

func (m *manager) loop() {
	for range 2 {
		<-m.changes
		m.mu.Lock()
		m.statuses--
		m.mu.Unlock()
	}
}

func (m *manager) set() {
	m.mu.Lock()
	m.statuses++
	m.mu.Unlock()
	m.changes <- true
}

func main() {
	m := &manager{changes: make(chan bool)}
	go m.loop()
	go m.set()
	go m.set()
	time.Sleep(100 * time.Millisecond)
}
