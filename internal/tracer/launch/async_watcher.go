//go:build unix

package launch

import (
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// asyncWatcher passes the operations of a run on to a watcher. While the program runs it does so at
// once, since the program needs the other processors. The remaining operations it passes on from a
// second goroutine (beside), while this one reads the next records. The watcher gets the same
// operations in the same order either way.
type asyncWatcher struct {
	to      op.Watcher
	filling *batch // nil: pass on at once

	full  chan *batch
	empty chan *batch
	done  chan struct{} // closed when the goroutine has ended
	bug   *Bug          // its panic, once done is closed
}

// batch has copies of operations. Their clocks are immutable, and are shared.
type batch struct {
	ops   []op.Op
	cases []op.Case // of those
}

const (
	// operations: few enough to stay in a processor's cache, enough to make wakeups rare
	batchSize = 512
	batches   = 8 // bounds the operations that wait for the watcher
)

func (a *asyncWatcher) Op(o *op.Op) {
	if a.filling == nil {
		a.to.Op(o)
		return
	}
	a.filling.add(o)
	if len(a.filling.ops) == batchSize {
		a.flush()
	}
}

// Remembers implements op.Forgetter. Nothing is forgotten while another goroutine looks at it; the
// program has ended then.
func (a *asyncWatcher) Remembers(see func(op.Task)) bool {
	return a.filling == nil && op.Remembers(a.to, see)
}

// Forget implements op.Forgetter.
func (a *asyncWatcher) Forget(s *clock.Sweep) { op.Forget(a.to, s) }

func (b *batch) add(o *op.Op) {
	b.ops = append(b.ops, *o)
	if len(o.Cases) > 0 {
		first := len(b.cases)
		b.cases = append(b.cases, o.Cases...)
		b.ops[len(b.ops)-1].Cases = b.cases[first:len(b.cases):len(b.cases)]
	}
}

// flush hands the batch over and takes another one. It panics if the watcher did.
func (a *asyncWatcher) flush() {
	select {
	case a.full <- a.filling:
	case <-a.done:
		panic(a.bug)
	}
	select {
	case a.filling = <-a.empty:
	case <-a.done:
		panic(a.bug)
	}
}

// runConcurrently calls f while another goroutine calls the watcher, and returns when both are
// done. It panics if either does.
func (a *asyncWatcher) runConcurrently(f func()) {
	a.full, a.empty, a.done = make(chan *batch, batches), make(chan *batch, batches), make(chan struct{})
	for range batches {
		a.empty <- new(batch) // most runs leave little
	}
	a.filling = <-a.empty
	go a.forward()
	bug := capture(f)
	if bug == nil {
		bug = capture(a.flush) // the last one
	}
	a.filling = nil
	close(a.full)
	<-a.done
	if bug == nil {
		bug = a.bug
	}
	if bug != nil {
		panic(bug)
	}
}

// forward calls the watcher until the last batch.
func (a *asyncWatcher) forward() {
	defer close(a.done)
	a.bug = capture(func() {
		for b := range a.full {
			for i := range b.ops {
				a.to.Op(&b.ops[i])
			}
			b.ops, b.cases = b.ops[:0], b.cases[:0]
			a.empty <- b
		}
	})
}
