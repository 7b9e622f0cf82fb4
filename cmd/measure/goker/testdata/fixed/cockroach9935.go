// The error is dealt with after the lock was released.
package main

import (
	"errors"
	"math/rand"
	"sync"
	"time"
)

type logging struct {
	mu     sync.Mutex
	exited bool
}

func (l *logging) output() {
	l.mu.Lock()
	err := create()
	l.mu.Unlock()
	if err != nil {
		l.exit()
	}
}

func create() error {
	if rand.Intn(8)%4 > 0 {
		return errors.New("no file")
	}
	return nil
}

func (l *logging) exit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exited = true
}

func main() {
	go new(logging).output()
	time.Sleep(100 * time.Millisecond)
}
