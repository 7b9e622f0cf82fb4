package stuck

import (
	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Name is that of the property.
const Name rule.Property = "stuck"

// Rule reports goroutines that wait for ever.
var Rule = &rule.Rule{
	Name: Name,
	Doc:  "reports goroutines that wait for ever",
	Kinds: []op.Kind{
		op.Go, op.End, op.Main, op.Left, op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select,
		op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Add, op.Done, op.Wait, op.CondWait, op.Signal, op.Broadcast, op.Once,
		op.Arm, op.Stop, op.Fire, op.Outside, op.Free, op.Block, op.AtomicLoad, op.AtomicStore, op.Misuse,
	},
	New: newDetector,
}

// detector looks for tasks that wait for ever. Those of the run itself are found at its end: tasks
// that wait for something which is not there, and which nobody can bring about any more (see
// waking). Those of other orders of the run are found by lostSignals, leftLocked and otherCases.
type detector struct {
	tasks  []*task // nil where ended
	things candidate.Objects[thing]
	begun  bool    // main has initialised all packages
	left   op.Task // who ended the program, or NoTask
	exited bool    // it called os.Exit; else it is main, and has returned
	timers map[op.Object]op.Task
	closes int     // so far
	dead   taskSet // tasks of deadlocks that happened: set at the end
	polled taskSet // tasks that no timer wakes while it is asked who polls for ever: see pollers
	others otherCases
	lost   []op.Object // Conds that may have waits which no Signal came after

	spareTasks freelist.List[task]

	mayWait []string                      // functions; see MayWait
	reads   func(*rule.Guess) rule.Behind // see ReadSource
}

// task is a task that has not ended.
type task struct {
	waits  bool
	block  block // what it waits for, if it does
	held   []rule.HeldLock
	by     op.Task
	armed  bool // a timer will start it
	daemon bool // it was started before main had initialised all packages

	enlisted  op.Object   // the Cond that it waits for, until that is signalled
	unlocked  int32       // its last unlock
	signalled []op.Object // Conds
	choice    choice      // where it is
	examples  []example   // of choices before
	polling   polling

	born   *clock.Clock // what was known when it was started
	joined []joined
}

// block is what a task waits for: an object, or one of the cases of a select statement.
type block struct {
	candidate.Mark
	object op.Object
	cases  []op.Case
	more   int64 // cases that were not told
	closes int   // before
	full   *clock.Clock
}

// thing is an object that tasks wait for, with what decides whether they have to.
type thing struct {
	users   candidate.Marks
	buffer  int64 // how many values are in the channel
	cap     int64
	counter int64 // of the WaitGroup
	closed  bool
	outside bool // something outside the program may operate on it
	armed   bool // a timer will send on it
	writer  holder
	readers []holder
	lent    bool             // it was unlocked by another task than who had locked it
	writers map[op.Task]bool // that wait for the lock
	waiting []op.Task        // for the Cond, in order; those that are enlisted for it
	lost    lostSignals

	timed   bool // a timer sends on the channel or closes it; or one was armed under the lock
	ticks   bool // it does so again and again
	maker   op.Task
	traffic *traffic // nil: there was none so far
}

// traffic is who has come to a channel. Most things are no channels.
type traffic struct {
	closing  candidate.Event
	came     [2]arrivals
	meetings []meeting
}

// noTraffic is that of what nobody has come to. It does not change.
var noTraffic traffic

// seen is the traffic so far, which is not to be changed.
func (t *thing) seen() *traffic {
	if t.traffic == nil {
		return &noTraffic
	}
	return t.traffic
}

// comes is the traffic so far, for what comes.
func (t *thing) comes() *traffic {
	if t.traffic == nil {
		t.traffic = new(traffic)
	}
	return t.traffic
}

// Directions of what came to a channel.
const (
	sending = iota
	receiving
)

// holder is who holds a lock.
type holder struct {
	candidate.Mark
	free *clock.Clock // what it knew then, or when it panicked: see fails
}

// maxUsers bounds the tasks, places and operations of an object that a report can tell of.
const maxUsers = 32

// Kinds of marks, beside those of operations: what a select statement would also have done, and TryLock and TryRLock that
// succeeded.
const (
	wouldSend = op.KindCount + iota
	wouldReceive
	triedLock
	triedRLock
)

func newDetector() rule.Detector {
	return &detector{
		left: op.NoTask, timers: map[op.Object]op.Task{},
		others: otherCases{places: map[op.Place]*selectPlace{}, alternatives: map[alternativeKey]*alternative{}},
	}
}

func (d *detector) Op(o *op.Op) {
	if o.Task != op.NoTask {
		t := d.task(o.Task)
		t.waits = false
		d.polls(o)
		switch o.Kind {
		case op.Send, op.Recv, op.RecvClosed, op.Handoff: // may be a case
		default:
			t.choice.Kind = op.None
		}
	}
	switch o.Kind {
	case op.Go, op.Fire, op.End, op.Main, op.Left:
		d.life(o)
	case op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select:
		d.channel(o)
	case op.Lock, op.RLock, op.Unlock, op.RUnlock:
		d.lock(o)
	case op.Add, op.Done:
		t := d.things.Of(o.Object)
		t.counter += o.N
		t.used(o, o.Kind)
	case op.Wait:
		d.answered(candidate.MarkOf(o, op.Wait), o.Object, o.Begin, o.Full)
		d.task(o.Task).joins(o)
	case op.CondWait, op.Signal, op.Broadcast:
		d.condition(o)
	case op.Arm, op.Stop, op.Outside:
		d.source(o)
	case op.Free:
		d.free(o.Object)
	case op.Block:
		d.block(o)
	case op.Misuse:
		d.fails(o)
	}
}

func (d *detector) task(t op.Task) *task {
	for int(t) >= len(d.tasks) {
		d.tasks = append(d.tasks, nil)
	}
	if d.tasks[t] == nil {
		d.tasks[t] = d.spareTasks.Get()
	}
	return d.tasks[t]
}

// free forgets a thing.
func (d *detector) free(object op.Object) {
	t := d.things.At(object)
	if t == nil {
		return
	}
	d.consider(object, t)
	*t = thing{users: t.users.Emptied()}
	d.things.Recycle(object, t)
}

// used remembers that the task of o operated on the thing.
func (t *thing) used(o *op.Op, kind op.Kind) {
	if o.Task != op.NoTask {
		t.users.Add(candidate.MarkOf(o, kind), maxUsers)
	}
}

// life tells of tasks that begin and end.
func (d *detector) life(o *op.Op) {
	switch o.Kind {
	case op.Go:
		t := d.task(o.Other)
		t.by, t.daemon, t.armed, t.born = o.Task, !d.begun, o.N == 1, o.Full
		if t.armed {
			d.timers[o.Object] = o.Other
			for _, h := range d.task(o.Task).held {
				d.things.Of(h.Object).timed = true
			}
		}
	case op.Fire:
		d.task(o.Other).armed = false
		delete(d.timers, o.Object)
	case op.End:
		d.end(o)
	case op.Main:
		d.begun = true
	case op.Left:
		d.left, d.exited = o.Task, o.N == 0
		d.end(o)
	}
}

// end tells that a task has ended: it signals no Cond any more, and comes back to no channel.
func (d *detector) end(o *op.Op) {
	t := d.task(o.Task)
	for _, c := range t.signalled {
		if t := d.things.At(c); t != nil {
			t.lost.ended(o)
		}
	}
	t.armed = t.armed && o.K == 1 // else its timer has fired
	d.othersEnd(o.Task, t, o.Full)
	for i := range t.examples {
		t.examples[i].isOver()
	}
	if o.Kind == op.End {
		d.tasks[o.Task] = nil
		*t = task{}
		d.spareTasks.Put(t)
	}
}

// source tells of what wakes tasks though it is none.
func (d *detector) source(o *op.Op) {
	switch o.Kind {
	case op.Arm:
		t := d.things.Of(o.Object)
		t.armed, t.timed, t.ticks = true, true, o.N == 1
	case op.Stop:
		if timer, ok := d.timers[o.Object]; ok {
			d.isStopped(timer, o)
			delete(d.timers, o.Object)
			return
		}
		d.things.Of(o.Object).armed = false
	case op.Outside:
		d.things.Of(o.Object).outside = o.N == 0
	}
}

func (d *detector) condition(o *op.Op) {
	t := d.things.Of(o.Object)
	switch o.Kind {
	case op.CondWait:
		d.task(o.Task).enlisted = 0
	case op.Signal:
		for o.N == 0 && len(t.waiting) > 0 {
			first := t.waiting[0]
			t.waiting = t.waiting[1:]
			if d.wake(first, o.Object) {
				break
			}
		}
	case op.Broadcast:
		if o.N == 1 {
			break // what began to wait meanwhile does not hear it
		}
		for _, w := range t.waiting {
			d.wake(w, o.Object)
		}
		t.waiting = nil
	}
	if o.Kind != op.CondWait && o.Task != op.NoTask {
		t.used(o, o.Kind)
		d.signals(o)
	}
}

// wake takes a task from those that wait for the Cond; it reports whether it was among them.
func (d *detector) wake(task op.Task, cond op.Object) bool {
	t := d.tasks[task]
	if t == nil || t.enlisted != cond {
		return false
	}
	t.enlisted = 0
	return true
}

func (d *detector) block(o *op.Op) {
	t := d.task(o.Task)
	t.waits = true
	t.block = block{Mark: candidate.MarkOf(o, o.Want), object: o.Object, cases: append(t.block.cases[:0], o.Cases...), full: o.Full}
	switch o.Want {
	case op.Select:
		t.block.more, t.block.closes = o.N, d.closes
		d.offers(o)
	case op.Lock, op.Once:
		w := d.things.Of(o.Object)
		if w.writers == nil {
			w.writers = map[op.Task]bool{}
		}
		w.writers[o.Task] = true
	case op.CondWait:
		c := d.things.Of(o.Object)
		c.waiting = append(c.waiting, o.Task)
		t.enlisted = o.Object
		d.awaits(o, c)
	}
}
