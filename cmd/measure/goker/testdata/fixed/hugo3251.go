// The lock of the map is released before that of a URL is taken.
package main

import "sync"

type locks struct {
	sync.RWMutex
	of map[string]*sync.Mutex
}

func (l *locks) lock(url string) {
	l.Lock()
	if l.of[url] == nil {
		l.of[url] = new(sync.Mutex)
	}
	mu := l.of[url]
	l.Unlock()
	mu.Lock()
}

func (l *locks) unlock(url string) {
	l.RLock()
	mu := l.of[url]
	l.RUnlock()
	if mu != nil {
		mu.Unlock()
	}
}

func main() {
	l := &locks{of: make(map[string]*sync.Mutex)}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 20 {
				l.lock("u")
				l.unlock("u")
			}
		})
	}
	all.Wait()
}
