// Who asks for the status gives up when the node has stopped.
package main

import "time"

type node struct {
	status chan chan int
	stop   chan struct{}
	done   chan struct{}
}

func (n *node) Status() int {
	c := make(chan int)
	select {
	case n.status <- c:
		return <-c
	case <-n.done:
		return 0
	}
}

func (n *node) run() {
	for {
		select {
		case c := <-n.status:
			c <- 1
		case <-n.stop:
			close(n.done)
			return
		}
	}
}

func (n *node) Stop() {
	select {
	case n.stop <- struct{}{}:
	case <-n.done:
		return
	}
	<-n.done
}

func main() {
	n := &node{make(chan chan int), make(chan struct{}), make(chan struct{})}
	go n.run()
	go n.Status()
	go n.Stop()
	time.Sleep(100 * time.Millisecond)
}
