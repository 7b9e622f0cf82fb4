// Package reorder answers whether another order of a run's critical sections leads some tasks to
// given points: with everything read that was read in the run (History), or whatever is read
// (Summary).
//
//	history := reorder.New()
//	history.Op(&o) // each operation of the run
//	p := history.Prefix(reorder.Point{Task: 1, Done: 4, Data: x}, reorder.Point{Task: 2, Done: 7, Data: y})
//	if p != nil && p.Verify() == nil {
//		fmt.Println(p.Schedule())
//	}
//
// # What is claimed
//
// A correct prefix is a set of the run's operations that the program can execute in the order of
// the run, each read seeing what it saw in the run. It has with each operation what comes before it
// in the order Data: the earlier operations of its task, and the writes that reads have seen. And
// it keeps mutual exclusion: if it has the beginnings of two sections that exclude each other, it
// has the end of the one that came first in the run.
//
// Correct prefixes are closed under intersection. So the least one that has some operations can be
// computed as a closure, and if that has an operation that must not be in it, so have all others.
// This is sync-preserving prediction, of data races (Mathur, Pavlogiannis, Viswanathan, POPL 2021)
// and of deadlocks (Tunç, Mathur, Pavlogiannis, Viswanathan, PLDI 2023).
//
// What needs two sections in the other order, with both in the prefix, Prefix misses. AnyPrefix
// finds it where one of the tasks at the points can do last what it does from some section on; see
// tail.go.
//
// # Accesses to memory
//
// Accesses are no operations. They lie between two operations of their task, and the number of the
// first one, the moment, says where. A point is such a place, too. What a task has written at the
// moment of its point may come before the point or after it. A prefix with a read of that is
// refused.
//
// # Memory
//
// A history remembers the latest operations, at most maxLog. Those before are in every prefix,
// which only loses answers. A summary remembers less, but of the whole run: the latest sections of
// each lock and task, and of the others only those that may be open where a task has handed on what
// it knows. It needs no accesses.
package reorder

import (
	"slices"

	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Bounds. Each only loses answers, or makes them less certain.
const (
	maxLog   = 1 << 17 // operations and reads that are remembered
	firstLog = 1 << 10 // while no task knows of another one
	maxOpen  = 1 << 12 // tasks whose first open read is known
)

// History remembers the critical sections of a run.
type History struct {
	tasks map[op.Task]*task // with entries or open sections
	list  []*task           // the same ones
	locks sparse.Array[op.Object, lock]

	log     entries
	size    int          // of log, at most
	seq     int64        // operations that were ever logged
	dropped *clock.Clock // operations in every prefix
	memory  clock.Memory // of what dropped has learnt
	// a task's point must not come before these operations: what it wrote right before them has
	// been read in every prefix
	written *clock.Clock

	reads map[position]readers
	first map[passage]*read // the same ones
	own   *read             // by the access that is being reported; nil if it is none, or not known yet

	clashes queue[clash]
	// a tail must not begin at these operations or before: accesses of its task may clash with
	// later ones that are forgotten
	unclear *clock.Clock
	dim     int64                  // nor before this place in the log: overwrites before it are forgotten
	lasting map[op.Task]*overwrite // of each task since its last operation

	access access // of the last conflict, if nothing else has been received since

	openReads     map[op.Task]int32 // by task: the moment of the first access that leaves a read's writer open
	allReadsOpen  bool              // there are more tasks
	hasUnreported bool              // some accesses are not reported

	closures     int  // that were ever computed
	anyKnowledge bool // some task knows of another one
	isOff        bool
	work         Work
}

// Work is what a history has done so far.
type Work struct {
	Operations int64 // that are or were remembered
	Steps      int64 // of closures, each about 10 ns
	Lost       int   // questions about points that are not remembered
}

// position is a place between two operations of a task.
type position struct {
	task   op.Task
	moment int32
}

// New returns a history of nothing so far.
func New() *History { return newHistory(maxLog) }

func newHistory(size int) *History {
	return &History{
		tasks: map[op.Task]*task{}, reads: map[position]readers{}, first: map[passage]*read{},
		openReads: map[op.Task]int32{}, lasting: map[op.Task]*overwrite{}, size: size,
	}
}

// Kinds are the operations that the history receives.
func (h *History) Kinds() []op.Kind {
	return []op.Kind{
		op.Go, op.End, op.Block, op.Lock, op.RLock, op.Unlock, op.RUnlock, op.Send, op.Recv,
		op.ReadFrom, op.Rewrite, op.Conflict, op.Overwrite, op.Free,
	}
}

// LeaveOpen says that some accesses to memory are not reported to the history. So all prefixes are
// open.
func (h *History) LeaveOpen() { h.hasUnreported = true }

// LeaveOff says that no accesses to memory are reported. So nothing is remembered: the order of the
// operations says nothing of data then.
func (h *History) LeaveOff() { *h = History{isOff: true} }

// IsOff reports whether nothing is remembered.
func (h *History) IsOff() bool { return h.isOff }

// Remembers reports whether accesses to memory are reported. A nil history has none.
func (h *History) Remembers() bool { return h != nil && !h.isOff }

// IsLeftOpen reports whether LeaveOpen was called.
func (h *History) IsLeftOpen() bool { return h.hasUnreported }

// Work returns counters by which callers limit how much they ask.
func (h *History) Work() Work {
	h.work.Operations = h.seq
	return h.work
}

// Op receives the next operation of the run.
func (h *History) Op(o *op.Op) {
	if h.isOff || o.Task == op.NoTask && o.Kind != op.Free {
		return
	}
	if o.Data == nil && o.Free != nil { // Data has all that Free has
		h.LeaveOff()
		return
	}
	h.anyKnowledge = h.anyKnowledge || o.Data != nil
	switch o.Kind {
	case op.ReadFrom:
		if o.Other != op.NoTask { // what is no task is in no prefix
			h.noteRead(o)
		}
		return
	case op.Rewrite:
		h.own, h.access = nil, access{}
		h.noteRewrite(o)
		return
	case op.Conflict:
		h.access = accessOf(o)
		if h.own != nil && h.own.access != h.access {
			h.own = nil
		}
		h.noteConflict(o)
		return
	case op.Overwrite:
		h.noteOverwrite(o)
		return
	}
	h.noteOperation(o.Task)
	h.own, h.access = nil, access{}
	switch o.Kind {
	case op.Go:
		h.noteGo(o)
	case op.Lock, op.RLock:
		h.acquire(o, o.Kind == op.RLock)
	case op.Unlock, op.RUnlock:
		h.release(o, o.Kind == op.RUnlock)
	case op.Send:
		if o.Locking {
			h.acquire(o, false)
		}
	case op.Recv:
		if o.Locking || h.locks.At(o.Object) != nil {
			h.release(o, false)
		}
	case op.Free:
		h.locks.Set(o.Object, nil)
	}
}

// noteConflict notes a conflict. If the two accesses race, reads may have seen something else than
// the run's order says.
func (h *History) noteConflict(o *op.Op) {
	if h.noteClash(o); !o.Sectioned {
		OpenReads(o, h.noteOpen)
	}
}

// OpenReads calls note for each access of a race that leaves open what a read sees: for reads, and
// for writes that race with a write.
func OpenReads(race *op.Op, note func(t op.Task, moment int32)) {
	reads := func(k op.Kind) bool { return k == op.Read || k == op.AtomicLoad }
	if reads(race.Want) || !reads(race.OtherWant) {
		note(race.Task, race.Moment)
	}
	if reads(race.OtherWant) || !reads(race.Want) {
		note(race.Other, race.OtherMoment)
	}
}

// noteOpen notes that a task's access at a moment leaves open what a read sees.
func (h *History) noteOpen(t op.Task, moment int32) {
	first, known := h.openReads[t]
	switch {
	case known && first <= moment:
	case !known && len(h.openReads) == maxOpen:
		h.allReadsOpen = true
	default:
		h.openReads[t] = moment
	}
}

// queue is a queue that keeps its memory.
type queue[T any] struct {
	items []T
	first int
}

func (q *queue[T]) all() []T { return q.items[q.first:] }

// push doubles the memory of a full queue: append would let a long one grow by a quarter at a time.
func (q *queue[T]) push(x T) {
	if len(q.items) == cap(q.items) {
		q.items = slices.Grow(q.items, max(len(q.items), 1))
	}
	q.items = append(q.items, x)
}

func (q *queue[T]) pop() T {
	var none T
	x := q.items[q.first]
	q.items[q.first] = none
	q.first++
	if q.first > len(q.items)/2 {
		n := copy(q.items, q.items[q.first:])
		clear(q.items[n:])
		q.items, q.first = q.items[:n], 0
	}
	return x
}

// pushFront puts items in front.
func (q *queue[T]) pushFront(items []T) { q.items = slices.Insert(q.items, q.first, items...) }
