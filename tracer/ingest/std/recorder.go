package std

import (
	"cmp"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// recorder makes of a log the operations on which built-in properties are judged.
//
// Threads are goroutines: the first initial one is the main goroutine, and others begin by themselves. Who joins another thread takes
// what that has released at its end. Accesses to memory are single ones, of which the reader of operations finds those that race.
type recorder struct {
	places  map[int32]bool // that have been described
	started bool           // initial threads have been introduced
}

// operationLine is a line of a trace that is no action: a record of a task on an object, or the code of its place.
type operationLine struct {
	record       *event.Record
	code         *event.Code
	task, object string
}

// Addresses of what threads synchronise on, by the numbers of names; those of objects must not be close to each other.
const (
	lockBase   = 1 << 40
	memoryBase = 1 << 41
	endBase    = 1 << 42
	apart      = 64
)

func address(base uint64, name int32) uint64 { return base + apart*uint64(name) }

// goroutineOf is the number of a thread as a goroutine.
func goroutineOf(r *run, thread int32) uint64 {
	if thread == r.initial[0] {
		return 1
	}
	return uint64(thread) + 2
}

// add appends the operations of a record, of which e is the event.
func (o *recorder) add(to []operationLine, r *run, rec *record, e *event.Event) []operationLine {
	to = o.begin(to, r)
	made := new(event.Record)
	made.Ctx = goroutineOf(r, rec.thread)
	object := ""
	switch rec.operation {
	case read, write:
		made.Kind, made.Addr, made.Aux = ring.KindRead, address(memoryBase, rec.operand), 1
		if rec.operation == write {
			made.Kind = ring.KindWrite
		}
	case acquire, release, wait:
		if e.Op != op.Lock.String() && e.Op != op.Unlock.String() {
			return to // of a lock that the thread holds anyway
		}
		made.Kind, made.Arg = ring.KindAcquire, ring.OpLock
		if rec.operation != acquire {
			made.Kind, made.Arg = ring.KindRelease, ring.OpUnlock
		}
		made.Addr = address(lockBase, rec.operand)
		made.Aux, object = made.Addr, r.names[rec.operand]
	case fork:
		made.Kind, made.Addr = ring.KindGo, goroutineOf(r, rec.operand)
	case join:
		made.Kind, made.Addr = ring.KindAcquire, address(endBase, rec.operand)
		made.Aux = made.Addr
	default:
		return to // the border of a transaction, or a notification: who hears it acquires the lock
	}
	// A log may have no places: then it is the line, of which there are too many to be kept apart.
	made.PC[0] = uint64(rec.place) + 1
	if !o.places[rec.place] {
		if o.places == nil {
			o.places = map[int32]bool{}
		}
		o.places[rec.place] = true
		call := op.Call{At: cmp.Or(r.names[rec.place], r.name)}
		to = append(to, operationLine{code: &event.Code{PC: made.PC[0], Calls: []op.Call{call}}})
	}
	return append(to, operationLine{record: made, task: r.names[rec.thread], object: object})
}

// begin appends what introduces the initial threads.
func (o *recorder) begin(to []operationLine, r *run) []operationLine {
	if !o.started {
		o.started = true
		for _, t := range r.initial {
			made := new(event.Record)
			made.Kind, made.Ctx = ring.KindThreadStart, goroutineOf(r, t)
			if made.Ctx == 1 {
				made.Kind = ring.KindStarted
			}
			to = append(to, operationLine{record: made, task: r.names[t]})
		}
	}
	return to
}

// end appends the operations of a thread that ends.
func (o *recorder) end(to []operationLine, r *run, thread int32) []operationLine {
	to = o.begin(to, r)
	released := new(event.Record)
	released.Kind, released.Ctx, released.Addr = ring.KindRelease, goroutineOf(r, thread), address(endBase, thread)
	released.Aux = released.Addr
	ended := new(event.Record)
	ended.Kind, ended.Ctx = ring.KindEnd, released.Ctx
	return append(to, operationLine{record: released, task: r.names[thread]}, operationLine{record: ended})
}
