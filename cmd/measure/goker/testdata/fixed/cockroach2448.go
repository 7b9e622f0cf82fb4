// While it waits for somebody to take the event, the loop serves callbacks.
package main

import (
	"sync"
	"time"
)

type multi struct {
	stop      chan bool
	events    chan func()
	callbacks chan func()
}

func (m *multi) send(event func()) bool {
	for {
		select {
		case m.events <- event:
			return true
		case cb := <-m.callbacks:
			cb()
		case <-m.stop:
			return false
		}
	}
}

func (m *multi) loop() {
	for m.send(m.call) {
		select {
		case cb := <-m.callbacks:
			cb()
		default:
		}
	}
}

func (m *multi) call() {
	select {
	case m.callbacks <- func() {}:
	case <-m.stop:
	}
}

func (m *multi) process() {
	for {
		select {
		case event := <-m.events:
			event()
		case <-m.stop:
			return
		}
	}
}

func main() {
	m := &multi{make(chan bool), make(chan func()), make(chan func())}
	var both sync.WaitGroup
	both.Go(m.loop)
	both.Go(m.process)
	time.Sleep(time.Millisecond)
	close(m.stop)
	both.Wait()
}
