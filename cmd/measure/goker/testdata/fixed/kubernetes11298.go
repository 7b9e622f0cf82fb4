// Who waits for the signal looks first whether it has come, under the lock.
package main

import "sync"

type notifier struct {
	lock    sync.Mutex
	cond    *sync.Cond
	aborted bool
	due     int
}

func (n *notifier) serve() {
	n.lock.Lock()
	defer n.lock.Unlock()
	for {
		for n.due == 0 && !n.aborted {
			n.cond.Wait()
		}
		if n.aborted {
			return
		}
		n.due--
	}
}

func (n *notifier) notify() {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.due++
	n.cond.Signal()
}

func (n *notifier) abort() {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.aborted = true
	n.cond.Broadcast()
}

func main() {
	n := new(notifier)
	n.cond = sync.NewCond(&n.lock)
	var served sync.WaitGroup
	served.Go(n.serve)
	for range 10 {
		n.notify()
	}
	n.abort()
	served.Wait()
}
