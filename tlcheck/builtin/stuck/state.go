package stuck

import (
	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// state is what the tasks of a run wait for, and what the objects that they wait for can still do.
type state struct {
	tasks     []*task // nil where ended
	resources candidate.Objects[resource]
	begun     bool    // main has initialised all packages
	left      op.Task // the task that ended the program, or NoTask
	exited    bool    // it called os.Exit; else it is main, and has returned
	timers    map[op.Object]op.Task
	closes    int     // so far
	polled    taskSet // tasks that no timer wakes while pollers are looked for

	spareTasks freelist.List[task]
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
	more   int64 // cases that were not recorded
	closes int   // before
	full   *clock.Clock
}

// resource is an object that tasks wait for, with what decides whether they have to.
type resource struct {
	users   candidate.Marks
	buffer  int64 // how many values are in the channel
	cap     int64
	counter int64 // of the WaitGroup
	closed  bool
	outside bool // something outside the program may operate on it
	armed   bool // a timer will send on it
	writer  holder
	readers []holder
	lent    bool             // it was unlocked by another task than had locked it
	writers map[op.Task]bool // that wait for the lock
	waiting []op.Task        // for the Cond, in order; those that are enlisted for it
	waits   condWaits

	timed   bool // a timer sends on the channel or closes it; or one was armed under the lock
	ticks   bool // it does so again and again
	maker   op.Task
	traffic *traffic // nil: there was none so far
}

// traffic is what has come to a channel. Most resources are no channels.
type traffic struct {
	closing  candidate.Event
	came     [2]arrivals
	meetings []meeting
}

// noTraffic is that of an unused channel. It does not change.
var noTraffic traffic

// seen is the traffic so far, which is not to be changed.
func (t *resource) seen() *traffic {
	if t.traffic == nil {
		return &noTraffic
	}
	return t.traffic
}

// comes is the traffic so far, for what comes.
func (t *resource) comes() *traffic {
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

// holder is a task that holds a lock.
type holder struct {
	candidate.Mark
	free *clock.Clock // what it knew then, or when it panicked: see fails
}

// maxUsers bounds the tasks, places and operations of an object that a report can name.
const maxUsers = 32

// Kinds of marks, beside those of operations: what a select statement would also have done, and
// TryLock and TryRLock that succeeded.
const (
	wouldSend = op.KindCount + iota
	wouldReceive
	triedLock
	triedRLock
)

// starts notes that a task starts another one, at once or by a timer.
func (s *state) starts(o *op.Op) {
	t := s.task(o.Other)
	t.by, t.daemon, t.armed, t.born = o.Task, !s.begun, o.ByTimer(), o.Full
	if t.armed {
		s.timers[o.Object] = o.Other
		for _, h := range s.task(o.Task).held {
			s.resources.Of(h.Object).timed = true
		}
	}
}

func (s *state) fires(o *op.Op) {
	s.task(o.Other).armed = false
	delete(s.timers, o.Object)
}

func (s *state) arms(o *op.Op) {
	t := s.resources.Of(o.Object)
	t.armed, t.timed, t.ticks = true, true, o.Repeats()
}

func (s *state) forget(number op.Task) {
	t := s.tasks[number]
	s.tasks[number] = nil
	*t = task{}
	s.spareTasks.Put(t)
}

func (s *state) task(t op.Task) *task {
	for int(t) >= len(s.tasks) {
		s.tasks = append(s.tasks, nil)
	}
	if s.tasks[t] == nil {
		s.tasks[t] = s.spareTasks.Get()
	}
	return s.tasks[t]
}

// used remembers that the task of o operated on the resource.
func (t *resource) used(o *op.Op, kind op.Kind) {
	if o.Task != op.NoTask {
		t.users.Add(candidate.MarkOf(o, kind), maxUsers)
	}
}

func (s *state) condition(o *op.Op) {
	t := s.resources.Of(o.Object)
	switch o.Kind {
	case op.CondWait:
		s.task(o.Task).enlisted = 0
	case op.Signal:
		for !o.Unheard() && len(t.waiting) > 0 {
			first := t.waiting[0]
			t.waiting = t.waiting[1:]
			if s.wake(first, o.Object) {
				break
			}
		}
	case op.Broadcast:
		if o.Unheard() {
			break // what began to wait meanwhile does not hear it
		}
		for _, w := range t.waiting {
			s.wake(w, o.Object)
		}
		t.waiting = nil
	}
	if o.Kind != op.CondWait && o.Task != op.NoTask {
		t.used(o, o.Kind)
	}
}

// wake takes a task from those that wait for the Cond; it reports whether it was among them.
func (s *state) wake(task op.Task, cond op.Object) bool {
	t := s.tasks[task]
	if t == nil || t.enlisted != cond {
		return false
	}
	t.enlisted = 0
	return true
}

func (s *state) block(o *op.Op) {
	t := s.task(o.Task)
	t.waits = true
	cases := append(t.block.cases[:0], o.Cases...)
	t.block = block{Mark: candidate.MarkOf(o, o.Want), object: o.Object, cases: cases, full: o.Full}
	switch o.Want {
	case op.Select:
		t.block.more, t.block.closes = o.OtherCases(), s.closes
	case op.Lock, op.Once:
		w := s.resources.Of(o.Object)
		if w.writers == nil {
			w.writers = map[op.Task]bool{}
		}
		w.writers[o.Task] = true
	case op.CondWait:
		c := s.resources.Of(o.Object)
		c.waiting = append(c.waiting, o.Task)
		t.enlisted = o.Object
	}
}
