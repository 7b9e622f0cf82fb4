// Command reload answers requests with a configuration that can be loaded again.
package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Config is what the service needs to know.
type Config struct {
	Greeting string
	Loud     bool
}

// Service answers requests.
type Service struct {
	config atomic.Pointer[Config]
	reload chan Config
	done   chan struct{}
}

// NewService returns a service that reloads what comes from the channel.
func NewService(c Config) *Service {
	s := &Service{reload: make(chan Config), done: make(chan struct{})}
	s.config.Store(&c)
	go s.watch()
	return s
}

// watch takes new configurations.
func (s *Service) watch() {
	defer close(s.done)
	for c := range s.reload {
		s.config.Store(&c)
	}
}

// Answer greets somebody.
func (s *Service) Answer(name string) string {
	c := s.config.Load()
	text := c.Greeting + ", " + name
	if c.Loud {
		text = strings.ToUpper(text)
	}
	return text
}

func main() {
	s := NewService(Config{Greeting: "hello"})
	var handlers sync.WaitGroup
	handlers.Go(func() { fmt.Println(s.Answer("ann")) })
	handlers.Go(func() { s.reload <- Config{Greeting: "good day", Loud: true} })
	handlers.Go(func() { fmt.Println(s.Answer("bob")) })
	handlers.Wait()
	close(s.reload)
	<-s.done
	fmt.Println(s.Answer("eve"))
}
