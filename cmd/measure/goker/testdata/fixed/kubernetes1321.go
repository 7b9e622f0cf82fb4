// A second channel, which is closed without the lock, ends the distribution to a watcher.
package main

import (
	"sync"
	"time"
)

type mux struct {
	mu       sync.Mutex
	watchers map[int]*watcher
}

type watcher struct{ result, stopped chan struct{} }

func (m *mux) distribute() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range m.watchers {
		select {
		case w.result <- struct{}{}:
		case <-w.stopped:
		}
	}
}

func (m *mux) watch(id int) *watcher {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &watcher{make(chan struct{}), make(chan struct{})}
	m.watchers[id] = w
	return w
}

func (m *mux) stop(id int, w *watcher) {
	close(w.stopped)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.watchers, id)
}

func main() {
	m := &mux{watchers: make(map[int]*watcher)}
	go func() {
		for range 100 {
			m.distribute()
		}
	}()
	m.stop(0, m.watch(0))
	time.Sleep(100 * time.Millisecond)
}
