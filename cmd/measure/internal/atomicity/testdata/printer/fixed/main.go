// Command printer shares a printer among several jobs. A job that finds it busy asks again later.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Printer prints one job at a time.
type Printer struct {
	mu     sync.Mutex
	busy   bool
	mixed  bool
	active int
}

func (p *Printer) setBusy(busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = busy
}

// claim makes an idle printer busy.
func (p *Printer) claim() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy {
		return false
	}
	p.busy = true
	return true
}

// pages prints the pages of a job.
func (p *Printer) pages(job string) {
	p.count(1)
	fmt.Println("printing", job)
	p.count(-1)
}

func (p *Printer) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active += n
	p.mixed = p.mixed || p.active > 1
}

// Print waits for the printer and prints.
func (p *Printer) Print(job string) {
	for !p.claim() {
		time.Sleep(5 * time.Millisecond)
	}
	p.pages(job)
	p.setBusy(false)
}

func main() {
	var p Printer
	var jobs sync.WaitGroup
	for i, job := range []string{"letter", "poster"} {
		jobs.Go(func() {
			time.Sleep(time.Duration(i) * 60 * time.Millisecond)
			p.Print(job)
		})
	}
	jobs.Wait()
	if p.mixed {
		fmt.Println("pages of two jobs are mixed")
		os.Exit(1)
	}
}
