package std

import (
	"maps"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/oplog"
	"github.com/antichain-go/antichain/tracer/op"
)

// recorder turns a log into the operations for built-in properties.
//
// Threads are goroutines: the first initial one is the main goroutine, and others begin by
// themselves. A join acquires what the other thread has released at its end. Accesses to memory are
// single ones; the reader of operations finds the races among them.
type recorder struct {
	*oplog.Log
	run *run

	// By the numbers of names.
	threads                  []*oplog.Task
	locks, variables, places []uint64 // addresses; 0 if there is none yet

	requests map[int32]record // by thread: its last line, if that is a request
}

func newRecorder(r *run) *recorder {
	n := len(r.names)
	o := &recorder{oplog.New(r.name), r, make([]*oplog.Task, n), make([]uint64, n), make([]uint64, n),
		make([]uint64, n), map[int32]record{}}
	o.thread(r.initial[0]) // the main goroutine
	return o
}

// thread returns a thread as a task. One that no record has forked begins by itself.
func (o *recorder) thread(number int32) *oplog.Task {
	t := o.threads[number]
	if t == nil {
		t = o.newThread(number)
		o.Begin(t)
	}
	return t
}

func (o *recorder) newThread(number int32) *oplog.Task {
	t := o.NewTask(o.run.names[number])
	o.threads[number] = t
	return t
}

// add makes the operations of a record with the event e.
func (o *recorder) add(rec *record, e *event.Event) {
	t := o.thread(rec.thread)
	delete(o.requests, rec.thread)
	switch rec.operation {
	case request:
		o.requests[rec.thread] = *rec
	case read, write:
		o.Access(t, o.address(o.variables, rec.operand), rec.operation == write, o.at(rec))
	case acquire, release, wait:
		addr := o.address(o.locks, rec.operand)
		made := event.Record{Addr: addr, Aux: addr}
		switch e.Op {
		case op.Lock.String():
			made.Kind, made.Arg = ring.KindAcquire, ring.OpLock
		case op.Unlock.String():
			made.Kind, made.Arg = ring.KindRelease, ring.OpUnlock
		default:
			return // of a lock that the thread already holds
		}
		made.PC[0] = o.at(rec)
		o.Put(t, made, o.run.names[rec.operand])
	case fork:
		if e.Spawn == "" {
			return // of a thread that another one starts
		}
		o.Start(t, o.newThread(rec.operand), 0, o.at(rec))
	case join:
		o.Join(t, o.thread(rec.operand), o.at(rec))
	}
	// The others are the border of a transaction, or a notification: the notified thread acquires
	// the lock.
}

// finish makes the waits at the end of the log, of threads that have requested a lock that another
// one holds.
func (o *recorder) finish() {
	for _, thread := range slices.Sorted(maps.Keys(o.requests)) {
		rec := o.requests[thread]
		m := o.run.locks[rec.operand]
		if m == nil || m.depth == 0 || m.holder == thread || o.run.joined[thread] {
			continue
		}
		addr := o.address(o.locks, rec.operand)
		made := event.Record{Kind: ring.KindBlock, Addr: addr, Aux: addr, Arg: ring.OpLock}
		made.PC[0] = o.at(&rec)
		o.Put(o.thread(thread), made, o.run.names[rec.operand])
	}
	clear(o.requests)
}

func (o *recorder) address(of []uint64, number int32) uint64 {
	if of[number] == 0 {
		of[number] = o.NewAddress()
	}
	return of[number]
}

func (o *recorder) at(rec *record) uint64 {
	if o.places[rec.place] == 0 {
		o.places[rec.place] = o.At(o.run.names[rec.place])
	}
	return o.places[rec.place]
}
