// Command watcher passes changes on until it is stopped, or nothing changes any more.
//
// Bug: Stop and the goroutine that reads both close the channel done if it is not closed, each after its own look.
// A report has to name closed: (*Watcher).Stop `close(w.done)` + (*Watcher).Stop `close(w.done)`.
package main

import (
	"fmt"
	"sync"
)

// Watcher passes changes on.
type Watcher struct {
	source  <-chan string
	changes chan string
	done    chan struct{}
}

// Watch begins to watch.
func Watch(source <-chan string) *Watcher {
	w := &Watcher{source: source, changes: make(chan string, 8), done: make(chan struct{})}
	go w.loop()
	return w
}

func (w *Watcher) loop() {
	for {
		select {
		case <-w.done:
			return
		case change, ok := <-w.source:
			if !ok {
				w.Stop()
				return
			}
			w.changes <- change
		}
	}
}

// Stop ends the watcher. It may be called several times.
func (w *Watcher) Stop() {
	select {
	case <-w.done:
	default:
		close(w.done)
	}
}

func main() {
	source := make(chan string)
	w := Watch(source)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, name := range []string{"a.go", "b.go"} {
			source <- name
		}
		close(source)
	})
	fmt.Println("changed:", <-w.changes)
	fmt.Println("changed:", <-w.changes)
	wg.Wait()
	w.Stop()
	<-w.done
}
