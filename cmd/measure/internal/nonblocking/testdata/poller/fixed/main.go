// Command poller samples a sensor until it is told to stop.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Poller reads a sensor again and again.
type Poller struct {
	read    func() float64
	samples chan float64
	stopped atomic.Bool
	running sync.WaitGroup
}

// Start begins to poll.
func (p *Poller) Start(every time.Duration) {
	p.running.Go(func() { p.loop(every) })
}

func (p *Poller) loop(every time.Duration) {
	defer close(p.samples)
	for !p.stopped.Load() {
		select {
		case p.samples <- p.read():
		default:
		}
		time.Sleep(every)
	}
}

// Stop ends the loop and waits for it.
func (p *Poller) Stop() {
	p.stopped.Store(true)
	p.running.Wait()
}

func main() {
	temperature := 20.0
	p := &Poller{
		read:    func() float64 { temperature += 0.5; return temperature },
		samples: make(chan float64, 100),
	}
	p.Start(time.Millisecond)
	time.Sleep(10 * time.Millisecond)
	p.Stop()
	n := 0
	for range p.samples {
		n++
	}
	fmt.Println("at least one sample:", n > 0)
}
