// Command verbosity can be told to say more while it runs.
//
// Bug: the flag is set and read without a lock; that of the logger, which is taken in between, hides it mostly.
// A report has to name race: (*Service).SetVerbose `s.verbose = true` + (*Service).Work `if s.verbose {`.
package main

import (
	"fmt"
	"strings"
	"sync"
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
	verbose bool
}

// SetVerbose lets the service say more.
func (s *Service) SetVerbose() {
	s.verbose = true
	s.log.Say("verbose from now on")
}

// Work does something.
func (s *Service) Work(what string) {
	s.log.Say("work on " + what)
	n := len(strings.Fields(what))
	if s.verbose {
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
