// Command hooks calls a function of its user for each line that it reads.
package main

import (
	"fmt"
	"time"
)

// Reader reads lines.
type Reader struct {
	OnLine func(string)
	lines  chan string
	done   chan struct{}
}

// NewReader returns a reader that has started.
func NewReader(size int, onLine func(string)) *Reader {
	r := &Reader{OnLine: onLine, lines: make(chan string, size), done: make(chan struct{})}
	go r.loop()
	return r
}

func (r *Reader) loop() {
	defer close(r.done)
	time.Sleep(time.Millisecond) // opens the file
	r.OnLine("(begin)")
	for line := range r.lines {
		r.OnLine(line)
	}
}

// Feed gives the reader something to read.
func (r *Reader) Feed(lines ...string) {
	for _, line := range lines {
		r.lines <- line
	}
	close(r.lines)
}

func main() {
	total := 0
	r := NewReader(4, func(line string) { total += len(line) })
	r.Feed("one", "two", "three")
	<-r.done
	fmt.Println("bytes:", total)
}
