package stuck

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

const mainTask op.Task = 0

// taskSet is a set of tasks.
type taskSet map[op.Task]bool

// stuckAtEnd returns the tasks that wait for ever at the end of the run, in their order and as a set, and whether others
// could have gone on.
//
// A task that waits can be woken by what is there already, as it did not get a processor before the
// program ended: a value, a closed channel, a lock that is free (see known). It can be woken by a timer and by
// something outside the program. A lock that is held is given back by who holds it. As to all else, any
// task that can go on may do it: what references it has is not known, and that it has not used an object
// so far does not say that it never will. (A task that has ended the program, or would start but was
// stopped, cannot go on. But see awaitsExit.) So nothing is stuck that some code could still wake, and where nobody can go on
// all that wait are stuck: they form a closed group. It is asked what would be so if some tasks could go on.
func (d *detector) stuckAtEnd(names op.Names, free taskSet) (waiting []op.Task, stuck taskSet, running bool) {
	for i, t := range d.tasks {
		switch {
		case t == nil || op.Task(i) == d.left:
		case t.waits && !free[op.Task(i)]:
			waiting = append(waiting, op.Task(i))
		case !standsAlone(names.Task(op.Task(i)).Function):
			running = true
		}
	}
	stuck = taskSet{}
	for _, t := range waiting {
		stuck[t] = true
	}
	for again := true; again; {
		again = false
		waiting = slices.DeleteFunc(waiting, func(t op.Task) bool {
			can := d.canWake(t, stuck, running)
			if can {
				again = true
				delete(stuck, t)
			}
			return can
		})
		running = running || again
	}
	return waiting, stuck, running
}

// CanContinue reports whether some task that does not wait for ever is left.
func (d *detector) CanContinue(names op.Names) bool {
	_, _, running := d.stuckAtEnd(names, nil)
	return running
}

// standsAlone reports whether a task of the standard library that runs all the time wakes nobody but by
// what is known to come from outside.
func standsAlone(function string) bool {
	return strings.HasPrefix(function, "os/signal.") || strings.HasPrefix(function, "testing.(*M).startAlarm")
}

// canWake reports whether a task that waits may be woken, if those that are stuck are among some tasks.
func (d *detector) canWake(task op.Task, stuck taskSet, running bool) bool {
	b := &d.tasks[task].block
	if b.Kind != op.Lock && b.Kind != op.RLock && d.awaitsExit(task) {
		return true
	}
	if task == mainTask && b.Kind == op.Select && len(b.cases) == 0 {
		return running // so main lets others work until a signal ends the program
	}
	if b.Kind != op.Select {
		return b.object != 0 && d.comes(b.Kind, b.object, task, stuck, running)
	}
	if b.more > 0 && (running || d.closes > b.closes || d.hasSource()) {
		return true
	}
	return slices.ContainsFunc(b.cases, func(c op.Case) bool {
		kind := op.Recv
		if c.Send {
			kind = op.Send
		}
		return c.Object != 0 && !(d.polled[task] && d.isTimer(c)) && d.comes(kind, c.Object, task, stuck, running)
	})
}

// awaitsExit reports whether a task may wait for that which ended the program by os.Exit, to do so or to do
// what it would have done otherwise: main may, whose return ends the program too, and those that have
// started it, directly or not. That is how a program waits whose worker fails for good, or in which a
// task that answers a signal is the last one.
func (d *detector) awaitsExit(task op.Task) bool {
	if !d.exited || d.left == mainTask {
		return false
	}
	for t := d.left; t > mainTask && d.tasks[t] != nil; t = d.tasks[t].by {
		if t == task {
			return true
		}
	}
	return task == mainTask
}

// hasSource reports whether a timer or something outside the program may send on any channel.
func (d *detector) hasSource() bool {
	for _, t := range d.things.All() {
		if t.armed || t.outside {
			return true
		}
	}
	return false
}

// comes reports whether what a task waits for on an object is there or may still come.
func (d *detector) comes(want op.Kind, object op.Object, task op.Task, stuck taskSet, running bool) bool {
	t := d.things.Of(object)
	switch want {
	case op.Recv:
		return running || t.closed || t.buffer > 0 || t.armed || t.outside
	case op.Send:
		return running || t.closed || t.buffer < t.cap
	case op.Lock, op.Once:
		return (running || t.known()) && !d.locked(t, stuck, running) &&
			!slices.ContainsFunc(t.readers, func(h holder) bool { return d.keeps(t, &h, stuck, running) })
	case op.RLock:
		return (running || t.known()) && !d.locked(t, stuck, running) && !t.writerWaits(stuck)
	case op.Wait:
		return running || t.counter <= 0
	case op.CondWait:
		return running || d.tasks[task].enlisted != object
	}
	return true
}

// locked reports whether a writer keeps the lock.
func (d *detector) locked(t *thing, stuck taskSet, running bool) bool {
	return t.writer.Kind == op.Lock && d.keeps(t, &t.writer, stuck, running)
}

// known reports whether somebody has locked the lock, or unlocked it. If nobody has, and somebody waits for it
// all the same, it is the copy of a lock that was held. Who has got one and not said so yet is running.
func (t *thing) known() bool { return len(t.users.List) > 0 }

// keeps reports whether a holder of the lock never gives it back: it has ended, or is stuck.
// If others have given the lock back before, so may any task now.
func (d *detector) keeps(t *thing, h *holder, stuck taskSet, running bool) bool {
	return (d.over(h.Task) || stuck[h.Task]) && !(running && t.lent)
}

// over reports whether a task has come to its end. Who calls os.Exit may have been about to do more.
func (d *detector) over(t op.Task) bool {
	if t == d.left {
		return !d.exited
	}
	return d.tasks[t] == nil
}

// writerWaits reports whether a stuck task waits to write, behind which readers wait.
func (t *thing) writerWaits(stuck taskSet) bool {
	for w := range t.writers {
		if stuck[w] {
			return true
		}
	}
	return false
}
