// Command subscription tells subscribers of all events: first of those that were before, then of each new one.
package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Topic has events and subscribers.
type Topic struct {
	mu          sync.Mutex
	events      []string
	subscribers []*Subscriber
}

// Subscriber counts what it is told.
type Subscriber struct {
	mu    sync.Mutex
	heard int
}

// replay tells of old events.
func (s *Subscriber) replay(events []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard += len(events)
}

func (s *Subscriber) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard++
}

// appendEvent adds an event to the history.
func (t *Topic) appendEvent(event string) {
	t.events = append(t.events, event)
}

// Publish tells all subscribers of an event.
func (t *Topic) Publish(event string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.appendEvent(event)
	for _, s := range t.subscribers {
		s.tell()
	}
}

// Subscribe adds a subscriber.
func (t *Topic) Subscribe(s *Subscriber) {
	t.mu.Lock()
	defer t.mu.Unlock()
	history := slices.Clone(t.events)
	s.replay(history)
	t.subscribers = append(t.subscribers, s)
}

func main() {
	var t Topic
	var early, late Subscriber
	t.Publish("start")
	var wg sync.WaitGroup
	wg.Go(func() {
		t.Subscribe(&early)
		time.Sleep(60 * time.Millisecond)
		t.Subscribe(&late)
	})
	wg.Go(func() {
		time.Sleep(30 * time.Millisecond)
		t.Publish("more")
		time.Sleep(60 * time.Millisecond)
		t.Publish("end")
	})
	wg.Wait()
	fmt.Println(early.heard, late.heard)
	if early.heard != 3 || late.heard != 3 {
		os.Exit(1)
	}
}
