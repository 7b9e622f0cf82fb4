package std

import (
	"fmt"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// run replays a log and computes the causes of its events.
type run struct {
	*log
	events map[int32]int     // of each thread
	joined map[int32]bool    // threads that have ended
	depth  map[int32]int     // of each thread: transactions that it is in
	locks  map[int32]*lock   // that have been acquired
	held   map[int32][]int32 // by each thread: locks, in the order in which it acquired them
	waits  map[[2]int32]int  // by thread and lock, released to wait: how often it had acquired that
}

// lock is a lock that has been acquired.
type lock struct {
	holder   int32
	depth    int       // acquisitions minus releases of the holder; 0 if it is free
	released event.Ref // the last unlock; K is 0 if there was none
}

func newRun(l *log) *run {
	return &run{
		log: l, events: map[int32]int{}, joined: map[int32]bool{}, depth: map[int32]int{},
		locks: map[int32]*lock{}, held: map[int32][]int32{}, waits: map[[2]int32]int{},
	}
}

// end makes the last event of a thread that another joins.
func (r *run) end(e *event.Event, thread int32) {
	r.joined[thread] = true
	r.events[thread]++
	e.Task, e.Op = r.names[thread], event.OpEnd
	e.Global = append(e.Global, event.Binding{Name: varOp, Value: event.StringValue(event.OpEnd)},
		event.Binding{Name: varObj, Value: event.StringValue("")})
}

// event makes the event of a record.
func (r *run) event(e *event.Event, rec *record) error {
	if r.joined[rec.thread] {
		return r.fault(rec.line, fmt.Sprintf("an event of thread %q, which was joined", r.names[rec.thread]),
			"each thread of a log needs a name of its own")
	}
	r.events[rec.thread]++
	operand := r.names[rec.operand]
	e.Task, e.At = r.names[rec.thread], r.names[rec.place]
	if e.At == "" {
		e.At = r.pos(rec.line)
	}
	e.Op, e.Obj = operations[rec.operation], operand
	e.Global = append(e.Global,
		event.Binding{Name: varOp, Value: operationValues[rec.operation]},
		event.Binding{Name: varObj, Value: r.values[rec.operand]})
	if r.events[rec.thread] == 1 && rec.operation != acquire {
		r.setLocks(e, rec.thread)
	}
	switch rec.operation {
	case read:
		e.Op = op.Read.String()
	case write:
		e.Op = op.Write.String()
	case acquire:
		return r.acquire(e, rec)
	case release, wait:
		return r.release(e, rec)
	case notify:
		e.Op = op.Signal.String()
	case notifyAll:
		e.Op = op.Broadcast.String()
	case fork:
		if e.Op = op.Go.String(); r.begins(rec) {
			e.Spawn = operand
		}
	case join:
		e.After = append(e.After, event.Ref{Task: operand, K: r.events[rec.operand]})
	case begin:
		r.depth[rec.thread]++
		e.Enter = atomic
	case end:
		if r.depth[rec.thread] == 0 {
			return r.fault(rec.line, fmt.Sprintf("end of a transaction of thread %q, which is in none", e.Task),
				"is the beginning of the log missing?")
		}
		r.depth[rec.thread]--
		e.Op, e.Exit = "", atomic // the op end would end the thread
	}
	return nil
}

func (r *run) acquire(e *event.Event, rec *record) error {
	m := r.locks[rec.operand]
	switch {
	case m == nil:
		m = &lock{}
		r.locks[rec.operand] = m
	case m.depth > 0 && m.holder != rec.thread:
		return r.fault(rec.line, fmt.Sprintf("thread %q acquires lock %q, which thread %q holds", e.Task, e.Obj,
			r.names[m.holder]), "the log is incomplete, or its lines are not in the order in which the operations "+
			"happened")
	case m.depth > 0:
		m.depth++
		return nil
	case m.holder != rec.thread:
		e.After = append(e.After, m.released)
	}
	waiter := [2]int32{rec.thread, rec.operand}
	m.holder, m.depth = rec.thread, max(r.waits[waiter], 1)
	delete(r.waits, waiter)
	e.Op = op.Lock.String()
	r.held[rec.thread] = append(r.held[rec.thread], rec.operand)
	r.setLocks(e, rec.thread)
	return nil
}

func (r *run) release(e *event.Event, rec *record) error {
	m := r.locks[rec.operand]
	if m == nil || m.depth == 0 || m.holder != rec.thread {
		return r.fault(rec.line, fmt.Sprintf("thread %q releases lock %q, which it does not hold", e.Task, e.Obj),
			"the log is incomplete, or its lines are not in the order in which the operations happened")
	}
	if rec.operation == wait { // it releases the lock as a whole
		r.waits[[2]int32{rec.thread, rec.operand}] = m.depth
		m.depth = 1
	}
	if m.depth--; m.depth > 0 {
		return nil
	}
	m.released = event.Ref{Task: e.Task, K: r.events[rec.thread]}
	e.Op = op.Unlock.String()
	held := r.held[rec.thread]
	r.held[rec.thread] = stdslices.DeleteFunc(held, func(l int32) bool { return l == rec.operand })
	r.setLocks(e, rec.thread)
	return nil
}

// setLocks sets the variable that lists the locks that a thread holds.
func (r *run) setLocks(e *event.Event, thread int32) {
	var names []event.Value
	for _, l := range r.held[thread] {
		names = append(names, r.values[l])
	}
	e.Global = append(e.Global, event.Binding{Name: varLocks, Value: event.ListValue(names)})
}
