// Who has the lock of the content initialises the plain text without it.
package main

import "sync"

type page struct {
	content, plain sync.Once
	mu             sync.Mutex
	words          int
}

func (p *page) initContent() {
	p.content.Do(func() {
		done := make(chan struct{}, 1)
		go func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.initPlain(false)
			done <- struct{}{}
		}()
		<-done
	})
}

func (p *page) initPlain(lock bool) {
	p.plain.Do(func() {
		if lock {
			p.mu.Lock()
			defer p.mu.Unlock()
		}
		p.words = 1
	})
}

func main() {
	p := new(page)
	var renderers sync.WaitGroup
	for range 2 {
		renderers.Go(func() {
			p.initContent()
			p.initPlain(true)
		})
	}
	renderers.Wait()
}
