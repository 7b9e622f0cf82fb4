package state

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

const mainTask op.Task = 0

// Tasks is a set of tasks.
type Tasks map[op.Task]bool

// Question is what would be so if some tasks were not as they are.
type Question struct {
	Free   Tasks // could go on
	Polled Tasks // are woken by no timer
}

// Verdict says which tasks wait for ever.
type Verdict struct {
	Waiting []op.Task // these, in their order
	Stuck   Tasks     // the same ones
	Running bool      // others could go on
}

// Stuck returns the tasks that wait for ever at the end of the run.
//
// A task that waits can be woken by what is there already, as it did not get a processor before the
// program ended: a value, a closed channel, a lock that is free (see known). It can be woken by a
// timer and by something outside the program. A lock that is held is given back by its holder. As
// to all else, any task that can go on may do it: what references it has is not known, and that it
// has not used an object so far does not say that it never will. (A task that has ended the
// program, or would start but was stopped, cannot go on. But see awaitsExit.) So nothing is stuck
// that some code could still wake, and where none can go on all that wait are stuck: they form a
// closed group.
func (r *Run) Stuck(names op.Names, q Question) Verdict {
	v := Verdict{Stuck: Tasks{}}
	for i, t := range r.tasks {
		switch number := op.Task(i); {
		case t == nil || number == r.Left:
		case t.Waits && !q.Free[number]:
			v.Waiting = append(v.Waiting, number)
			v.Stuck[number] = true
		case !standsAlone(names.Task(number).Function):
			v.Running = true
		}
	}
	e := end{r, &v, q.Polled}
	for again := true; again; {
		again = false
		v.Waiting = slices.DeleteFunc(v.Waiting, func(t op.Task) bool {
			can := e.canWake(t)
			if can {
				again = true
				delete(v.Stuck, t)
			}
			return can
		})
		v.Running = v.Running || again
	}
	return v
}

// CanContinue reports whether some task that does not wait for ever is left.
func (r *Run) CanContinue(names op.Names) bool { return r.Stuck(names, Question{}).Running }

// standsAlone reports whether a task of the standard library that runs all the time wakes others
// only by what is known to come from outside.
func standsAlone(function string) bool {
	return strings.HasPrefix(function, "os/signal.") || strings.HasPrefix(function, "testing.(*M).startAlarm")
}

// end is the end of a run, with the tasks that wait for ever by what is known so far.
type end struct {
	*Run
	*Verdict
	polled Tasks
}

// canWake reports whether a task that waits may be woken, if those that are stuck are.
func (e *end) canWake(task op.Task) bool {
	b := &e.tasks[task].Block
	if b.Kind != op.Lock && b.Kind != op.RLock && e.awaitsExit(task) {
		return true
	}
	if task == mainTask && b.Kind == op.Select && len(b.Cases) == 0 {
		return e.Running // so main lets others work until a signal ends the program
	}
	if b.Kind != op.Select {
		return b.Object != 0 && e.comes(b.Kind, b.Object, task)
	}
	if b.Others > 0 && (e.Running || e.closes > b.closes || e.hasSource()) {
		return true
	}
	return slices.ContainsFunc(b.Cases, func(c op.Case) bool {
		kind := op.Recv
		if c.Send {
			kind = op.Send
		}
		return c.Object != 0 && !(e.polled[task] && e.IsTimer(c)) && e.comes(kind, c.Object, task)
	})
}

// awaitsExit reports whether a task may wait for that which ended the program by os.Exit, to do so
// or to do what it would have done otherwise: main may, whose return ends the program too, and
// those that have started it, directly or not. That is how a program waits whose worker fails for
// good, or in which a task that answers a signal is the last one.
func (r *Run) awaitsExit(task op.Task) bool {
	if !r.exited || r.Left == mainTask {
		return false
	}
	for t := r.Left; t > mainTask && r.tasks[t] != nil; t = r.tasks[t].By {
		if t == task {
			return true
		}
	}
	return task == mainTask
}

// hasSource reports whether a timer or something outside the program may send on any channel.
func (r *Run) hasSource() bool {
	for _, t := range r.Objects.All() {
		if t.Armed || t.Outside {
			return true
		}
	}
	return false
}

// comes reports whether what a task waits for on an object is there or may still come.
func (e *end) comes(want op.Kind, object op.Object, task op.Task) bool {
	t := e.Objects.Of(object)
	closed := t.Closing.Kind == op.Close
	switch want {
	case op.Recv:
		return e.Running || closed || t.Len > 0 || t.Armed || t.Outside
	case op.Send:
		return e.Running || closed || t.Len < t.Cap
	case op.Lock, op.Once:
		return (e.Running || t.IsKnown()) && !e.isLocked(t) &&
			!slices.ContainsFunc(t.Readers, func(s Section) bool { return e.keeps(t, &s) })
	case op.RLock:
		return (e.Running || t.IsKnown()) && !e.isLocked(t) && !e.writerWaits(t)
	case op.Wait:
		return e.Running || t.Counter <= 0
	case op.CondWait:
		return e.Running || e.tasks[task].enlisted != object
	}
	return true
}

// isLocked reports whether a writer keeps the lock.
func (e *end) isLocked(t *Object) bool { return t.Writer.Kind == op.Lock && e.keeps(t, &t.Writer) }

// IsKnown reports whether some task has locked the lock, or unlocked it. If none has, and one waits
// for it all the same, it is the copy of a lock that was held. A task that has just got one is
// running.
func (t *Object) IsKnown() bool { return len(t.Users.List) > 0 }

// keeps reports whether the task in a section of the lock never leaves it: it has ended, or is
// stuck. If others have left sections of it before, so may any task now.
func (e *end) keeps(t *Object, s *Section) bool {
	return (e.IsOver(s.Task) || e.Verdict.Stuck[s.Task]) && !(e.Running && t.Lent)
}

// IsOver reports whether a task has come to its end. One that calls os.Exit may have been about to
// do more.
func (r *Run) IsOver(t op.Task) bool {
	if t == r.Left {
		return !r.exited
	}
	return r.tasks[t] == nil
}

// writerWaits reports whether a stuck task waits to write, behind which readers wait.
func (e *end) writerWaits(t *Object) bool {
	for w := range t.writers {
		if e.Verdict.Stuck[w] {
			return true
		}
	}
	return false
}

// IsTimer reports whether a timer sends on the channel of a case.
func (r *Run) IsTimer(c op.Case) bool {
	return !c.Send && c.Object != 0 && r.Objects.Of(c.Object).Timed
}

// AwaitsUnlock reports whether a task waits for a lock. Any goroutine may unlock what another one
// has locked, so it is not certain that none will as long as one can go on.
func (r *Run) AwaitsUnlock(task op.Task) bool {
	kind := r.tasks[task].Block.Kind
	return kind == op.Lock || kind == op.RLock
}

// CauseOf returns where a lock was taken that a task waits for, if that is never given back since
// the task that took it has ended; else 0.
func (r *Run) CauseOf(b *Block) op.Place {
	if b.Kind != op.Lock && b.Kind != op.RLock {
		return 0
	}
	for _, s := range r.Objects.Of(b.Object).Sections() {
		if r.IsOver(s.Task) {
			return s.At
		}
	}
	return 0
}
