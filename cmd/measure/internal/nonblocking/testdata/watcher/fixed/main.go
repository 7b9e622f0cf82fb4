// Command watcher passes changes on until it is stopped, or nothing changes any more.
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
	once    sync.Once
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
	w.once.Do(func() { close(w.done) })
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
