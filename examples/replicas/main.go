// Command replicas keeps a register twice, each copy with a lock of its own. A reader that sees a
// new value can be followed by one that sees the old value.
package main

import (
	"fmt"
	"sync"
)

// Register keeps a value twice, and a reader asks whichever copy is near.
type Register struct {
	mu      [2]sync.Mutex
	copies  [2]int
	between func() // between the writes of the copies: the second one is far
}

func (r *Register) Write(v int) {
	r.set(0, v)
	r.between()
	r.set(1, v)
}

func (r *Register) set(i, v int) {
	r.mu[i].Lock()
	r.copies[i] = v
	r.mu[i].Unlock()
}

func (r *Register) Read(near int) int {
	r.mu[near].Lock()
	defer r.mu[near].Unlock()
	return r.copies[near]
}

func main() {
	written, served := make(chan bool), make(chan bool)
	r := &Register{between: func() { close(written); <-served }}
	var wg sync.WaitGroup
	wg.Go(func() { r.Write(1) })
	wg.Go(func() { <-written; r.Read(0) })
	wg.Go(func() { r.Read(1); close(served) })
	wg.Wait()
	fmt.Println("read", r.Read(0), r.Read(1))
}
