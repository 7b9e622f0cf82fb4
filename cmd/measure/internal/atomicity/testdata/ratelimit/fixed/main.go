// Command ratelimit sends no more messages than it has tokens for.
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
	name        string
	*sync.Mutex // one sender at a time
}

// Send sends a message if there is a token.
func (s *Sender) Send(text string) bool {
	s.Lock()
	defer s.Unlock()
	if !limit.allowed() {
		return false
	}
	deliver(s.name + ": " + text)
	limit.add(-1)
	return true
}

func main() {
	var wg sync.WaitGroup
	var one sync.Mutex
	for i, name := range []string{"alarm", "clock"} {
		s := &Sender{name, &one}
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
