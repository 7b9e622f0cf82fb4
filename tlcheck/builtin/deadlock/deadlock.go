// Package deadlock finds deadlocks in the operations of a run: those in which the run ended, and
// those that another order of its operations leads to.
//
//	detector := deadlock.New()
//	detector.Op(&o) // each operation of the run
//	for _, cycle := range detector.Cycles() {
//		fmt.Println(cycle.Observed, cycle.Parties)
//	}
//
// # What is claimed
//
// A run is seen as its operations with the order Free, which has no lock in it. A section of a lock
// goes from an operation that acquires it to the one that releases it. A schedule is an order of a
// downward closed set of operations, an ideal of Free, in which no two sections overlap that
// exclude each other. A predicted deadlock is an ideal that some schedule reaches and in which each
// of the parties can go no further:
//
//   - its next operation acquires a lock, and another party is in a section that excludes this one
//     and goes on beyond the operation for which that party waits itself (GoodLock: Havelund, SPIN
//     2000; Bensalem and Havelund, HVC 2005); or it is RLock, such a section is a reader's, and a
//     party that waits to write comes in between: a waiting writer keeps new readers out;
//   - or it is held by a task that has ended;
//   - or it waits on a channel or a WaitGroup, and all tasks that can end that, judged by those
//     that did so in the run, are parties, or have done so for the last time (wait.go). A task that
//     uses the channel must not be about to get a lock that it did not get in the run.
//
// That such a schedule exists is the part that lock-order graphs leave open and that makes them
// report what cannot happen. Package reorder decides it, by construction (as Kalhauge and Palsberg,
// "Sound Deadlock Prediction", OOPSLA 2018, do with a solver): whatever is read there
// (reorder.Summary), and with everything read that was read in the run (reorder.History), which is
// sync-preserving prediction (Tunç, Mathur, Pavlogiannis and Viswanathan, "Sound Dynamic Deadlock
// Prediction in Linear Time", PLDI 2023).
//
// What is not claimed: a deadlock that needs other sections reordered than reorder.Summary tries,
// or that a bound has dropped, is missed. What a lock guards may be different in the other order,
// and the program go another way, unless the cycle is exact (leastSlice, readPreservingPrefix,
// isUndisturbed). A task that waits when the run ends is taken to do nothing after that with
// channels that it has not used.
//
// An observed deadlock is a cycle among the tasks that wait when the run ends (end.go).
package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Bounds. Each only loses findings.
const (
	maxParties = 6       // tasks in a cycle
	maxSteps   = 1 << 14 // of one search for cycles
	firstSteps = 1 << 17 // of all searches, and one more for every stepsEach operations
	// A step takes up to 10 µs, so searches take no more than 0.3 µs of an operation.
	stepsEach    = 32
	maxInstances = 6       // of a dependency, by different tasks or at different times
	maxAlike     = 64      // dependencies at the same places, with different locks
	maxOrders    = 1 << 14 // dependencies
	maxHeld      = 8       // locks held by one task; with more, it is not looked at
	maxMoments   = 8       // of a task: where it may have waited
	maxCrossed   = 32      // sections of a lock that other tasks have left
	maxUsers     = 8       // of a channel: tasks that are distinguished
	maxDifferent = 256     // findings
	// cycles at the same places that cannot be reached; after that every second is looked at, and
	// so on
	maxRefused = 16
	maxDepth   = 64 // go statements that led to a task
	// channels from a section to the lock that it needs, and tasks that have ended behind one
	// another
	maxChain      = 3
	maxCountOps   = 128     // changes of the counter of a WaitGroup, or of how full a buffer is
	maxBegun      = 1 << 10 // tasks that have begun to wait since the last call of Certain
	maxTrackedCap = 64      // capacity of a channel whose slots are tracked
)

const recentActors = 16 // a cache in front of all

// Detector finds deadlocks in the operations passed to Op.
type Detector struct {
	actors map[op.Task]*actor
	locks  sparse.Array[op.Object, lockable]
	media  sparse.Array[op.Object, medium]
	recent [recentActors]*actor // that did the last operations, by task
	seq    int64                // of the last acquisition

	over  *progress               // of those that have ended
	spare freelist.List[progress] // was theirs

	dependencies map[uint64]*dependency
	alike        map[uint64]int // orders by places
	version      int            // changes with orders
	steps        int            // that searches have left
	toStep       int            // operations until it grows

	found map[uint64]*cycle
	list  []*cycle // found, in order
	// have begun to wait for a lock since the last call of Certain, in what may be a cycle; all
	// that wait if there are maxBegun
	begun   []*actor
	stands  map[int64]bool // waits in cycles that Certain has seen
	refused map[uint64]*refusals

	monitors   []*lockable
	sections   reorder.Summary
	history    *reorder.History // nil: whether what is read stays the same is not looked at
	bystanders map[op.Task]*bystander
	crowd      bool // there are too many of them
	handovers  []handover
	isOfGo     bool // the run is of a Go program: any task may unlock what another one has locked
}

// New returns a detector.
func New() *Detector {
	return &Detector{
		actors:       map[op.Task]*actor{},
		dependencies: map[uint64]*dependency{},
		alike:        map[uint64]int{},
		found:        map[uint64]*cycle{},

		over:    &progress{Holder: new(reorder.Holder)},
		refused: map[uint64]*refusals{},
		steps:   firstSteps,
	}
}

// reorders lets the detector ask whether a predicted deadlock can be reached with everything read
// that was read in the run. The history receives each operation before the detector does.
func (d *Detector) reorders(h *reorder.History) {
	d.history, d.bystanders = h, map[op.Task]*bystander{}
}

// Kinds are the operations that the detector receives.
func (d *Detector) Kinds() []op.Kind {
	return []op.Kind{
		op.Go, op.End, op.Main, op.Left, op.Block, op.Misuse, op.Free,
		op.Lock, op.RLock, op.Unlock, op.RUnlock, op.CondWait,
		op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select,
		op.Add, op.Done, op.Wait, op.Once, op.Signal, op.Broadcast, op.Arm, op.Outside,
	}
}

// Op receives the next operation of the run.
func (d *Detector) Op(o *op.Op) {
	if d.toStep--; d.toStep < 0 {
		d.steps, d.toStep = d.steps+1, stepsEach-1
	}
	if o.Kind == op.Free {
		d.free(o.Object)
		return
	}
	if o.Task == op.NoTask {
		d.outside(o)
		return
	}
	a := d.actor(o.Task)
	if d.history != nil {
		d.noteBystander(o)
	}
	a.waits = nil
	switch o.Kind {
	case op.Lock, op.RLock:
		a.Step(o.K, false)
		d.acquire(a, o, !o.Tries())
		return
	case op.Unlock:
		a.Step(o.K, false)
		d.release(a, o, op.Lock)
		return
	case op.RUnlock:
		a.Step(o.K, false)
		d.release(a, o, op.RLock)
		return
	case op.Block:
		a.Step(o.K, false)
		d.block(a, o)
		return
	}
	a.Step(o.K, true) // also at a channel that is used as a lock: others may learn of that later
	switch o.Kind {
	case op.Go:
		d.start(a, o)
	case op.Main, op.Left:
		d.isOfGo = d.isOfGo || o.Kind == op.Left || !o.OfForeignLog()
	case op.Signal, op.Broadcast:
		d.noteSignal(a)
	case op.End:
		d.abandon(a, o)
		d.end(a)
	default:
		d.communicate(a, o)
	}
}

// actor returns what is known of a task.
func (d *Detector) actor(t op.Task) *actor {
	recent := &d.recent[uint32(t)%recentActors]
	if *recent != nil && (*recent).task == t {
		return *recent
	}
	a := d.actors[t]
	if a == nil {
		a = d.begin(t)
	}
	*recent = a
	return a
}

func (d *Detector) lock(o op.Object) *lockable {
	l := d.locks.At(o)
	if l == nil {
		l = &lockable{object: o, Users: new(reorder.Users)}
		d.locks.Set(o, l)
	}
	return l
}

// start notes how a task began, for schedules.
func (d *Detector) start(by *actor, o *op.Op) {
	if o.Other == op.NoTask {
		return
	}
	b := &goStatement{child: o.Other, parent: by.started}
	b.acquisition = acquisitionAfter(o, op.Go)
	b.Seq = d.next()
	if by.started != nil {
		b.depth = by.started.depth + 1
	}
	if b.depth == maxDepth {
		b.parent, b.depth = nil, 0
	}
	d.begin(o.Other).started = b
}

// begin makes an actor of a task, which may turn out to be a bystander.
func (d *Detector) begin(t op.Task) *actor {
	if d.history != nil {
		d.bystander(t)
	}
	a := &actor{task: t, progress: d.spare.Get()}
	if a.Holder == nil {
		a.Holder = new(reorder.Holder)
	}
	a.moments, a.room = a.room, nil
	d.actors[t] = a
	return a
}

func (d *Detector) next() int64 {
	d.seq++
	return d.seq
}

// end forgets a task, except what a schedule for others must respect.
func (d *Detector) end(a *actor) {
	if !a.ended {
		a.ended, a.cases = true, nil
		a.unlink()
	}
	if len(a.held) > 0 {
		return // it holds them for ever
	}
	delete(d.actors, a.task)
	d.recent[uint32(a.task)%recentActors] = nil
	a.settle()
	if len(a.moments) == 0 && a.Since.K == 0 {
		a.started = nil // it never waited nor held a lock, and is in no cycle: others only need its number
	}
	if d.sections.Retire(a.Holder) {
		a.room = nil
		return
	}
	a.reset()
	d.spare.Put(a.progress)
	a.progress = d.over
}

// free forgets an object.
func (d *Detector) free(o op.Object) {
	d.media.Set(o, nil)
	l := d.locks.At(o)
	if l == nil {
		return
	}
	d.locks.Set(o, nil)
	if len(l.signalling) > 0 {
		d.monitors = slices.DeleteFunc(d.monitors, func(m *lockable) bool { return m == l })
	}
	for len(l.owners) > 0 { // of a channel whose element no task received
		owner := l.owners[0]
		l.owners = slices.DeleteFunc(l.owners, func(a *actor) bool { return a == owner })
		owner.held = slices.DeleteFunc(owner.held, func(h acquisition) bool { return h.lock == l })
		if owner.ended && len(owner.held) == 0 {
			d.end(owner)
		}
	}
	for len(l.first) > 0 {
		d.drop(l.first[0])
	}
	for len(l.wanted) > 0 {
		d.drop(l.wanted[0])
	}
}
