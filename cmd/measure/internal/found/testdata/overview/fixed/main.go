// An overview that is built by one and shared with all that ask meanwhile.
package main

import (
	"fmt"
	"sync"
	"time"
)

type overview struct{ hosts int }

type flight struct {
	done chan struct{}
	o    *overview
}

type live struct {
	mu     sync.Mutex
	flying *flight
	builds int
}

func (l *live) build() *overview {
	time.Sleep(time.Millisecond)
	return &overview{hosts: 3}
}

func show(client int, o *overview) {
	known := o != nil
	if !known {
		fmt.Println(client, "has got nothing")
		return
	}
	fmt.Println(client, o.hosts)
}

func (l *live) Overview() *overview {
	l.mu.Lock()
	if f := l.flying; f != nil {
		l.mu.Unlock()
		<-f.done
		return f.o
	}
	f := &flight{done: make(chan struct{})}
	l.flying = f
	l.mu.Unlock()

	o := l.build()
	l.mu.Lock()
	l.flying = nil
	l.builds++
	l.mu.Unlock()
	f.o = o
	close(f.done)
	return o
}

func main() {
	l := &live{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 3 * time.Millisecond)
			show(i, l.Overview())
		})
	}
	wg.Wait()
}
