// Command eventbus passes events to whoever has subscribed.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Bus has the subscribers by topic.
type Bus struct {
	mu          sync.Mutex
	subscribers []func(string)
}

// Subscribe adds a subscriber.
func (b *Bus) Subscribe(f func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subscribers = append(b.subscribers, f)
}

// Publish tells all subscribers.
func (b *Bus) Publish(event string) {
	b.mu.Lock()
	subscribers := b.subscribers
	b.mu.Unlock()
	for _, f := range subscribers {
		f(event)
	}
}

func main() {
	var bus Bus
	var seen, late atomic.Int64
	bus.Subscribe(func(string) { seen.Add(1) })
	var wg sync.WaitGroup
	wg.Go(func() {
		bus.Publish("created")
		bus.Publish("changed")
	})
	wg.Go(func() {
		bus.Subscribe(func(string) { late.Add(1) })
	})
	wg.Wait()
	bus.Publish("removed")
	fmt.Println("seen:", seen.Load(), "seen late at least:", min(late.Load(), 1))
}
