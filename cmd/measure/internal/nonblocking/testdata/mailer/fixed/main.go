// Command mailer sends messages in the background.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Mailer sends messages.
type Mailer struct {
	outbox   chan string
	quit     chan struct{}
	running  sync.WaitGroup
	accepted atomic.Int64
	sent     atomic.Int64
}

// NewMailer returns a mailer that runs.
func NewMailer() *Mailer {
	m := &Mailer{outbox: make(chan string, 10), quit: make(chan struct{})}
	m.running.Go(m.run)
	return m
}

func (m *Mailer) run() {
	for {
		select {
		case text, ok := <-m.outbox:
			if !ok {
				return
			}
			m.deliver(text)
		case <-m.quit:
			return
		}
	}
}

// deliver sends one message.
func (m *Mailer) deliver(text string) {
	m.sent.Add(1)
}

// Send hands in a message.
func (m *Mailer) Send(text string) {
	m.accepted.Add(1)
	m.outbox <- text
}

// Stop ends the mailer, and returns how many messages were handed in and sent.
func (m *Mailer) Stop() (accepted, sent int64) {
	close(m.outbox)
	m.running.Wait()
	accepted = m.accepted.Load()
	sent = m.sent.Load()
	return accepted, sent
}

func main() {
	m := NewMailer()
	for _, text := range []string{"hello", "how are you", "bye"} {
		m.Send(text)
	}
	accepted, _ := m.Stop()
	m.running.Wait()
	fmt.Println("accepted:", accepted)
}
