// Reads lines for a parser that gives up at the first bad one.
package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

type reader struct {
	lines chan string
	errs  chan error
	wg    sync.WaitGroup
}

func (r *reader) read(text string) {
	defer r.wg.Done()
	defer close(r.lines)
	for _, l := range strings.Split(text, "\n") {
		r.lines <- l
	}
}

func (r *reader) parse() {
	defer r.wg.Done()
	for l := range r.lines {
		time.Sleep(time.Millisecond)
		if l == "" {
			r.errs <- errors.New("empty line")
			return
		}
	}
	r.errs <- nil
}

func check(text string) error {
	r := &reader{lines: make(chan string, 2), errs: make(chan error)}
	r.wg.Add(2)
	go r.read(text)
	go r.parse()
	return <-r.errs
}

func main() {
	fmt.Println(check("a\nb\nc"))
	fmt.Println(check("a\n\nc\nd"))
	fmt.Println(check("a\n\nc\nd\ne\nf"))
}
