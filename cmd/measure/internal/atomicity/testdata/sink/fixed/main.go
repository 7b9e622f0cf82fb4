// Command sink writes log lines to a file that is opened in the background.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type file struct {
	mu    sync.Mutex
	lines int
}

// create makes the file.
func create() *file {
	return new(file)
}

// write adds a line.
func (f *file) write(string) {
	f.mu.Lock()
	f.lines++
	f.mu.Unlock()
}

// Sink is where lines go.
type Sink struct {
	mu  sync.Mutex
	out *file
}

// Open opens the sink.
func (s *Sink) Open() {
	f := create()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = f
}

// Log writes a line, if the sink is open.
func (s *Sink) Log(line string) bool {
	s.mu.Lock()
	f := s.out
	s.mu.Unlock()
	if f == nil {
		return false
	}
	f.write(line)
	return true
}

func main() {
	var s Sink
	var wg sync.WaitGroup
	s.Open()
	written := make([]bool, 2)
	for i := range written {
		wg.Go(func() {
			time.Sleep(time.Duration(i+1) * 40 * time.Millisecond)
			written[i] = s.Log(fmt.Sprint("line ", i))
		})
	}
	wg.Wait()
	fmt.Println("written:", written)
	if !written[0] || !written[1] {
		os.Exit(1)
	}
}
