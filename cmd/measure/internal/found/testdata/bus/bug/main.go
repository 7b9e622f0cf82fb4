// A bus that hands events to its subscribers.
package main

import (
	"fmt"
	"sync"
	"time"
)

type bus struct {
	mu   sync.Mutex
	subs map[int]chan string
}

func (b *bus) Subscribe(id int) <-chan string {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch := make(chan string)
	b.subs[id] = ch
	return ch
}

func (b *bus) Unsubscribe(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.subs, id)
}

func (b *bus) Publish(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.subs {
		ch <- event
	}
}

func main() {
	b := &bus{subs: map[int]chan string{}}
	var wg sync.WaitGroup
	events := b.Subscribe(1)
	wg.Go(func() {
		fmt.Println(<-events)
		b.Unsubscribe(1)
	})
	wg.Go(func() {
		b.Publish("first")
		time.Sleep(10 * time.Millisecond)
		b.Publish("second")
	})
	wg.Wait()
}
