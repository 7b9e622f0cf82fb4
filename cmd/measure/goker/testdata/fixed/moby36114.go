// What is called with the lock does not take it.
package main

import (
	"sync"
	"time"
)

type machine struct {
	sync.Mutex
	disks int
}

func (m *machine) add() {
	m.Lock()
	defer m.Unlock()
	m.removeLocked()
}

func (m *machine) removeLocked() { m.disks-- }

func main() {
	go new(machine).add()
	time.Sleep(100 * time.Millisecond)
}
