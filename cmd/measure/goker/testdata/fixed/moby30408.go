// Also the plugin that failed wakes those that wait for it.
package main

import (
	"errors"
	"sync"
)

type plugin struct {
	active *sync.Cond
	ready  bool
	err    error
}

func (p *plugin) wait() error {
	p.active.L.Lock()
	defer p.active.L.Unlock()
	for !p.ready && p.err == nil {
		p.active.Wait()
	}
	return p.err
}

func main() {
	p := &plugin{active: sync.NewCond(new(sync.Mutex))}
	done := make(chan struct{})
	go func() {
		p.wait()
		close(done)
	}()
	p.active.L.Lock()
	p.err = errors.New("failed")
	p.active.L.Unlock()
	p.active.Broadcast()
	<-done
}
