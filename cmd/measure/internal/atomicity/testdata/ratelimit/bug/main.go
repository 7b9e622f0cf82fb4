// Command ratelimit sends no more messages than it has tokens for.
//
// Bug: that there is a token is seen in one critical section, and the token is taken in another one, after the message was sent.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type limiter struct {
	sync.Mutex
	tokens int
	least  int // that there ever were
}

var limit = limiter{tokens: 1}

func (l *limiter) allowed() bool {
	l.Lock()
	defer l.Unlock()
	return l.tokens > 0
}

func (l *limiter) add(n int) {
	l.Lock()
	defer l.Unlock()
	l.tokens += n
	l.least = min(l.least, l.tokens)
}

// deliver sends a message.
func deliver(text string) {
	fmt.Println(text)
}

// Sender sends messages.
type Sender struct {
	name string
}

// Send sends a message if there is a token.
func (s *Sender) Send(text string) bool {
	if !limit.allowed() {
		return false
	}
	deliver(s.name + ": " + text)
	limit.add(-1)
	return true
}

func main() {
	var wg sync.WaitGroup
	for i, name := range []string{"alarm", "clock"} {
		s := &Sender{name: name}
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 60 * time.Millisecond)
			s.Send("it is late")
		})
	}
	wg.Go(func() {
		time.Sleep(30 * time.Millisecond)
		limit.add(1)
	})
	wg.Wait()
	if limit.least < 0 {
		fmt.Println("too many messages")
		os.Exit(1)
	}
}
