// A frame is not announced any more once the connection was closed, which takes no lock.
package main

import (
	"sync"
	"time"
)

type framer struct {
	mu            sync.Mutex
	frames        int
	reset, closed chan bool
}

func (f *framer) monitor() {
	for {
		select {
		case <-f.reset:
		case <-f.closed:
			return
		}
	}
}

func (f *framer) write() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frames++
	select {
	case f.reset <- true:
	case <-f.closed:
	}
}

func main() {
	f := &framer{reset: make(chan bool), closed: make(chan bool)}
	go f.monitor()
	go f.write()
	go close(f.closed)
	time.Sleep(100 * time.Millisecond)
}
