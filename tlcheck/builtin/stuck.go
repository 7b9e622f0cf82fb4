package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/clock"
	"github.com/antichain-go/antichain/tracer/op"
)

// stuckDetector looks for tasks that wait for ever. Those of the run itself are found at its end: tasks
// that wait for something which is not there, and which nobody can bring about any more (see
// waking). Those of other orders of the run are found by lostSignals, leftLocked and otherCases.
type stuckDetector struct {
	tasks  []*stuckTask // nil where ended
	things map[op.Object]*thing
	begun  bool    // main has initialised all packages
	left   op.Task // who ended the program, or NoTask
	timers map[op.Object]op.Task
}

// stuckTask is a task that has not ended.
type stuckTask struct {
	waits  bool
	block  block // what it waits for, if it does
	held   []Held
	armed  bool // a timer will start it
	daemon bool // it was started before main had initialised all packages
}

// block is what a task waits for: an object, or one of the cases of a select statement.
type block struct {
	mark
	object op.Object
	cases  []op.Case
	full   *clock.Clock
}

// thing is an object that tasks wait for, with what decides whether they have to.
type thing struct {
	users   marks
	buffer  int64 // how many values are in the channel
	cap     int64
	counter int64 // of the WaitGroup
	closed  bool
	outside bool // something outside the program may operate on it
	armed   bool // a timer will send on it
	writer  holder
	readers []holder
	lent    bool      // it was unlocked by another task than who had locked it
	waiting []op.Task // for the Cond, in order
}

// holder is who holds a lock.
type holder struct {
	mark
	free *clock.Clock
}

// maxUsers bounds the tasks, places and operations of an object that a report can tell of.
const maxUsers = 32

// What a select statement would also have done: kinds of marks, beside those of operations.
const (
	wouldSend = op.KindCount + iota
	wouldReceive
)

func newStuckDetector() detector {
	return &stuckDetector{things: map[op.Object]*thing{}, left: op.NoTask, timers: map[op.Object]op.Task{}}
}

func (d *stuckDetector) kinds() []op.Kind {
	return []op.Kind{
		op.Go, op.End, op.Main, op.Left, op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select,
		op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Add, op.Done, op.Wait, op.CondWait, op.Signal, op.Broadcast, op.Once,
		op.Arm, op.Stop, op.Fire, op.Outside, op.Free, op.Block, op.AtomicLoad, op.AtomicStore,
	}
}

func (d *stuckDetector) op(o *op.Op) {
	if o.Task != op.NoTask {
		d.task(o.Task).waits = false
	}
	switch o.Kind {
	case op.Go, op.Fire, op.End, op.Main, op.Left:
		d.life(o)
	case op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select:
		d.channel(o)
	case op.Lock, op.RLock, op.Unlock, op.RUnlock:
		d.lock(o)
	case op.Add, op.Done:
		t := d.thing(o.Object)
		t.counter += o.N
		t.used(o, o.Kind)
	case op.CondWait, op.Signal, op.Broadcast:
		d.condition(o)
	case op.Arm, op.Stop, op.Outside:
		d.source(o)
	case op.Free:
		delete(d.things, o.Object)
	case op.Block:
		d.block(o)
	}
}

func (d *stuckDetector) task(t op.Task) *stuckTask {
	for int(t) >= len(d.tasks) {
		d.tasks = append(d.tasks, nil)
	}
	if d.tasks[t] == nil {
		d.tasks[t] = new(stuckTask)
	}
	return d.tasks[t]
}

func (d *stuckDetector) thing(object op.Object) *thing {
	t := d.things[object]
	if t == nil {
		t = new(thing)
		d.things[object] = t
	}
	return t
}

// used remembers that the task of o operated on the thing.
func (t *thing) used(o *op.Op, kind op.Kind) {
	if o.Task != op.NoTask {
		t.users.add(markOf(o, kind), maxUsers)
	}
}

// life tells of tasks that begin and end.
func (d *stuckDetector) life(o *op.Op) {
	switch o.Kind {
	case op.Go:
		t := d.task(o.Other)
		t.daemon, t.armed = !d.begun, o.N == 1
		if t.armed {
			d.timers[o.Object] = o.Other
		}
	case op.Fire:
		d.task(o.Other).armed = false
		delete(d.timers, o.Object)
	case op.End:
		d.tasks[o.Task] = nil
	case op.Main:
		d.begun = true
	case op.Left:
		d.left = o.Task
	}
}

// source tells of what wakes tasks though it is none.
func (d *stuckDetector) source(o *op.Op) {
	switch o.Kind {
	case op.Arm:
		d.thing(o.Object).armed = true
	case op.Stop:
		if t, ok := d.timers[o.Object]; ok {
			d.tasks[t] = nil
			delete(d.timers, o.Object)
			return
		}
		d.thing(o.Object).armed = false
	case op.Outside:
		d.thing(o.Object).outside = o.N == 0
	}
}

func (d *stuckDetector) channel(o *op.Op) {
	if o.Kind == op.Select {
		d.offers(o)
		return
	}
	t := d.thing(o.Object)
	switch o.Kind {
	case op.MakeChan:
		t.cap = o.N
		t.used(o, op.MakeChan)
	case op.Send:
		t.buffer++
		t.used(o, op.Send)
	case op.Recv:
		t.buffer = max(t.buffer-1, 0)
		t.used(o, op.Recv)
	case op.Handoff:
		t.used(o, op.Send)
		if o.Other != op.NoTask {
			d.task(o.Other).waits = false
			t.users.add(mark{o.Other, o.OtherK, o.OtherAt, op.Recv}, maxUsers)
		}
	case op.Close:
		t.closed = true
		t.used(o, op.Close)
	case op.RecvClosed:
		t.used(o, op.RecvClosed)
	}
}

// offers tells of a select statement: what it would have done with the channels of its cases.
func (d *stuckDetector) offers(o *op.Op) {
	for _, c := range o.Cases {
		if c.Object != 0 {
			d.thing(c.Object).used(o, offer(c))
		}
	}
}

func offer(c op.Case) op.Kind {
	if c.Send {
		return wouldSend
	}
	return wouldReceive
}

func (d *stuckDetector) lock(o *op.Op) {
	t, task := d.thing(o.Object), d.task(o.Task)
	switch o.Kind {
	case op.Lock:
		t.writer = holder{markOf(o, op.Lock), o.Free}
		t.used(o, op.Lock)
	case op.RLock:
		t.readers = append(t.readers, holder{markOf(o, op.RLock), o.Free})
		t.used(o, op.RLock)
	case op.Unlock:
		if t.writer.kind == op.Lock {
			t.lent = t.lent || t.writer.task != o.Task
			d.release(o.Object, t.writer.task, op.Lock)
		}
		t.writer = holder{}
		return
	case op.RUnlock:
		d.runlock(o, t)
		return
	}
	task.held = append(task.held, Held{Object: o.Object, Kind: o.Kind, At: o.At})
}

// runlock ends the section of the task, or of another one if it has none.
func (d *stuckDetector) runlock(o *op.Op, t *thing) {
	if len(t.readers) == 0 {
		return
	}
	i := len(t.readers) - 1
	for j := i; j >= 0; j-- {
		if t.readers[j].task == o.Task {
			i = j
			break
		}
	}
	t.lent = t.lent || t.readers[i].task != o.Task
	d.release(o.Object, t.readers[i].task, op.RLock)
	t.readers = slices.Delete(t.readers, i, i+1)
}

// release takes the lock from those that the task holds.
func (d *stuckDetector) release(object op.Object, task op.Task, kind op.Kind) {
	if int(task) >= len(d.tasks) || d.tasks[task] == nil {
		return
	}
	held := d.tasks[task].held
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Object == object && held[i].Kind == kind {
			d.tasks[task].held = slices.Delete(held, i, i+1)
			return
		}
	}
}

func (d *stuckDetector) condition(o *op.Op) {
	t := d.thing(o.Object)
	switch o.Kind {
	case op.CondWait:
		t.waiting = slices.DeleteFunc(t.waiting, func(x op.Task) bool { return x == o.Task })
	case op.Signal:
		t.waiting = t.waiting[min(1, len(t.waiting)):]
	case op.Broadcast:
		t.waiting = nil
	}
	if o.Kind != op.CondWait {
		t.used(o, o.Kind)
	}
}

func (d *stuckDetector) block(o *op.Op) {
	t := d.task(o.Task)
	t.waits = true
	t.block = block{mark: markOf(o, o.Want), object: o.Object, cases: append(t.block.cases[:0], o.Cases...), full: o.Full}
	switch o.Want {
	case op.Select:
		d.offers(o)
	case op.CondWait:
		c := d.thing(o.Object)
		c.waiting = append(c.waiting, o.Task)
	}
}
