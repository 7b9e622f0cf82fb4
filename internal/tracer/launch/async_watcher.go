//go:build unix

package launch

import "github.com/antichain-go/antichain/tracer/op"

// asyncWatcher tells a watcher the operations of a run: at once as long as the program runs, which wants the other
// processors, and on a goroutine of the watcher's own (apart) for what is left then, while the next
// records are being read. The watcher is told the same either way, in the same order.
type asyncWatcher struct {
	to      op.Watcher
	filling *batch // nil: at once

	full  chan *batch
	empty chan *batch
	done  chan struct{} // closed when the goroutine has ended
	bug   *Bug          // its panic, once done is closed
}

// batch has copies of operations. Their clocks do not change, and so are no copies.
type batch struct {
	ops   []op.Op
	cases []op.Case // of those
}

const (
	batchSize = 512 // operations: few enough to stay in a processor's cache, and to wake nobody too often
	batches   = 8   // bounds what waits for the watcher
)

// Op takes the next operation.
func (a *asyncWatcher) Op(o *op.Op) {
	if a.filling == nil {
		a.to.Op(o)
		return
	}
	a.filling.add(o)
	if len(a.filling.ops) == batchSize {
		a.pass()
	}
}

func (b *batch) add(o *op.Op) {
	b.ops = append(b.ops, *o)
	if len(o.Cases) > 0 {
		first := len(b.cases)
		b.cases = append(b.cases, o.Cases...)
		b.ops[len(b.ops)-1].Cases = b.cases[first:len(b.cases):len(b.cases)]
	}
}

// pass hands the batch over, and takes another one. A panic of the watcher goes on here.
func (a *asyncWatcher) pass() {
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

// apart calls f, meanwhile tells the watcher on another goroutine, and returns when both are through. A
// panic of either goes on here.
func (a *asyncWatcher) apart(f func()) {
	a.full, a.empty, a.done = make(chan *batch, batches), make(chan *batch, batches), make(chan struct{})
	for range batches {
		a.empty <- new(batch) // most runs leave little
	}
	a.filling = <-a.empty
	go a.tell()
	bug := capture(f)
	if bug == nil {
		bug = capture(a.pass) // the last one
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

// tell tells the watcher what comes.
func (a *asyncWatcher) tell() {
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
