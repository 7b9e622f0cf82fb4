// Package lease is a ring of nodes of which one at a time may act: the one that holds the lease.
// Like the processes of a distributed system, which are not traced together, they write down what
// they do themselves, as a trace. The test checks that while they are at work, and ends at the
// first violation.
package lease

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// Ring describes the nodes.
type Ring struct {
	Nodes, Rounds int
	Hasty         bool // they pass the lease on before they stop to act
}

// Run lets the lease go round and writes the trace. It ends early if that cannot be written.
func (r Ring) Run(w io.Writer) error {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	var names []string
	leases := make([]chan event.Ref, r.Nodes)
	for i := range r.Nodes {
		names = append(names, fmt.Sprint("node", i))
		leases[i] = make(chan event.Ref, 1)
	}
	d := &diary{trace: event.NewTextWriter(w, &event.Header{Tasks: names}), events: map[string]int{}, failed: stop}
	var nodes sync.WaitGroup
	for i, name := range names {
		n := &node{name: name, hasty: r.Hasty, diary: d, in: leases[i], out: leases[(i+1)%r.Nodes]}
		nodes.Go(func() { n.work(ctx, r.Rounds) })
	}
	leases[0] <- event.Ref{}
	nodes.Wait()
	return context.Cause(ctx)
}

// node passes the lease on to the next one. A lease is the event that sent it.
type node struct {
	name  string
	hasty bool
	*diary
	in, out chan event.Ref
}

func (n *node) work(ctx context.Context, rounds int) {
	for range rounds {
		received := event.Event{Task: n.name, Op: "recv"}
		select {
		case <-ctx.Done():
			return
		case sent := <-n.in:
			if sent.K > 0 {
				received.After = []event.Ref{sent}
			}
		}
		n.note(received)
		n.note(event.Event{Task: n.name, Enter: "act"})
		if n.hasty {
			n.pass()
		}
		n.note(event.Event{Task: n.name, Exit: "act"})
		n.note(event.Event{Task: n.name, Op: "rest"})
		if !n.hasty {
			n.pass()
		}
	}
}

func (n *node) pass() { n.out <- n.note(event.Event{Task: n.name, Op: "send"}) }

// diary writes down the events of all nodes.
type diary struct {
	mu     sync.Mutex
	trace  event.Writer
	events map[string]int // of each task so far
	failed func(error)
}

// note writes an event and returns what it is called.
func (d *diary) note(e event.Event) event.Ref {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events[e.Task]++
	err := d.trace.Write(&e)
	if err == nil {
		err = d.trace.Flush()
	}
	if err != nil {
		d.failed(err)
	}
	return event.Ref{Task: e.Task, K: d.events[e.Task]}
}
