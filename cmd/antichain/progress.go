package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Work is announced after progressAfter, so that short work leaves no trace, and from then on
// every progressEvery shows that it goes on.
const (
	progressAfter = 700 * time.Millisecond
	progressEvery = time.Second
)

// progress shows on a terminal that something takes its time, on a line that is overwritten.
// What is written to it ends the line and goes to the terminal. It must be ended by done.
type progress struct {
	to    io.Writer
	timer *time.Timer // nil if nothing is shown

	mu    sync.Mutex
	shown bool // the line is there, and the cursor at its end
	ended bool // nothing is shown any more
}

// working begins to show what is being done. Where w is no terminal it shows nothing.
func working(w io.Writer, what string) *progress {
	p := &progress{to: w}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return p
	}
	start := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(progressAfter, func() { p.show(what, start) })
	return p
}

func (p *progress) show(what string, start time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s … %d s", what, int(time.Since(start).Seconds()))
	p.shown = true
	p.timer.Reset(progressEvery)
}

// done takes the line away. Further calls do nothing.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

func (p *progress) end() {
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
	p.shown, p.ended = false, true
}

// Write ends the line and passes b on.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	return p.to.Write(b)
}
