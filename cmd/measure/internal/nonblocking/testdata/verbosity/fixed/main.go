// Command verbosity can be told to say more while it runs.
package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Log keeps lines.
type Log struct {
	mu    sync.RWMutex
	lines []string
}

// Say adds a line.
func (l *Log) Say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, text)
}

// Text returns all lines.
func (l *Log) Text() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return strings.Join(l.lines, "\n")
}

// Service does its work and says so.
type Service struct {
	log     *Log
	verbose atomic.Bool
}

// SetVerbose lets the service say more.
func (s *Service) SetVerbose() {
	s.verbose.Store(true)
	s.log.Say("verbose from now on")
}

// Work does something.
func (s *Service) Work(what string) {
	s.log.Say("work on " + what)
	n := len(strings.Fields(what))
	if s.verbose.Load() {
		s.log.Say(fmt.Sprint(what, " has words: ", n))
	}
}

func main() {
	s := &Service{log: new(Log)}
	var wg sync.WaitGroup
	wg.Go(func() { s.Work("the first thing") })
	wg.Go(s.SetVerbose)
	wg.Wait()
	fmt.Println("lines at least:", min(2, strings.Count(s.log.Text(), "\n")+1))
}
