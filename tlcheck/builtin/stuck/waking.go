package stuck

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

const mainTask op.Task = 0

// taskSet is a set of tasks.
type taskSet map[op.Task]bool

// stuckAtEnd returns the tasks that wait for ever at the end of the run, in their order and as a
// set, and whether others could have gone on.
//
// A task that waits can be woken by what is there already, as it did not get a processor before the
// program ended: a value, a closed channel, a lock that is free (see known). It can be woken by a
// timer and by something outside the program. A lock that is held is given back by its holder. As
// to all else, any task that can go on may do it: what references it has is not known, and that it
// has not used an object so far does not say that it never will. (A task that has ended the
// program, or would start but was stopped, cannot go on. But see awaitsExit.) So nothing is stuck
// that some code could still wake, and where none can go on all that wait are stuck: they form a
// closed group. It is asked what would be so if some tasks could go on.
func (s *state) stuckAtEnd(names op.Names, free taskSet) (waiting []op.Task, stuck taskSet, running bool) {
	for i, t := range s.tasks {
		switch {
		case t == nil || op.Task(i) == s.left:
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
			can := s.canWake(t, stuck, running)
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
func (s *state) CanContinue(names op.Names) bool {
	_, _, running := s.stuckAtEnd(names, nil)
	return running
}

// standsAlone reports whether a task of the standard library that runs all the time wakes others
// only by what is known to come from outside.
func standsAlone(function string) bool {
	return strings.HasPrefix(function, "os/signal.") || strings.HasPrefix(function, "testing.(*M).startAlarm")
}

// canWake reports whether a task that waits may be woken, if those that are stuck are among some
// tasks.
func (s *state) canWake(task op.Task, stuck taskSet, running bool) bool {
	b := &s.tasks[task].block
	if b.Kind != op.Lock && b.Kind != op.RLock && s.awaitsExit(task) {
		return true
	}
	if task == mainTask && b.Kind == op.Select && len(b.cases) == 0 {
		return running // so main lets others work until a signal ends the program
	}
	if b.Kind != op.Select {
		return b.object != 0 && s.comes(b.Kind, b.object, task, stuck, running)
	}
	if b.more > 0 && (running || s.closes > b.closes || s.hasSource()) {
		return true
	}
	return slices.ContainsFunc(b.cases, func(c op.Case) bool {
		kind := op.Recv
		if c.Send {
			kind = op.Send
		}
		return c.Object != 0 && !(s.polled[task] && s.isTimer(c)) && s.comes(kind, c.Object, task, stuck, running)
	})
}

// awaitsExit reports whether a task may wait for that which ended the program by os.Exit, to do so
// or to do what it would have done otherwise: main may, whose return ends the program too, and
// those that have started it, directly or not. That is how a program waits whose worker fails for
// good, or in which a task that answers a signal is the last one.
func (s *state) awaitsExit(task op.Task) bool {
	if !s.exited || s.left == mainTask {
		return false
	}
	for t := s.left; t > mainTask && s.tasks[t] != nil; t = s.tasks[t].by {
		if t == task {
			return true
		}
	}
	return task == mainTask
}

// hasSource reports whether a timer or something outside the program may send on any channel.
func (s *state) hasSource() bool {
	for _, t := range s.resources.All() {
		if t.armed || t.outside {
			return true
		}
	}
	return false
}

// comes reports whether what a task waits for on an object is there or may still come.
func (s *state) comes(want op.Kind, object op.Object, task op.Task, stuck taskSet, running bool) bool {
	t := s.resources.Of(object)
	switch want {
	case op.Recv:
		return running || t.closed || t.buffer > 0 || t.armed || t.outside
	case op.Send:
		return running || t.closed || t.buffer < t.cap
	case op.Lock, op.Once:
		return (running || t.known()) && !s.locked(t, stuck, running) &&
			!slices.ContainsFunc(t.readers, func(h holder) bool { return s.keeps(t, &h, stuck, running) })
	case op.RLock:
		return (running || t.known()) && !s.locked(t, stuck, running) && !t.writerWaits(stuck)
	case op.Wait:
		return running || t.counter <= 0
	case op.CondWait:
		return running || s.tasks[task].enlisted != object
	}
	return true
}

// locked reports whether a writer keeps the lock.
func (s *state) locked(t *resource, stuck taskSet, running bool) bool {
	return t.writer.Kind == op.Lock && s.keeps(t, &t.writer, stuck, running)
}

// known reports whether some task has locked the lock, or unlocked it. If none has, and one waits
// for it all the same, it is the copy of a lock that was held. A task that has just got one is
// running.
func (t *resource) known() bool { return len(t.users.List) > 0 }

// keeps reports whether a holder of the lock never gives it back: it has ended, or is stuck. If
// others have given the lock back before, so may any task now.
func (s *state) keeps(t *resource, h *holder, stuck taskSet, running bool) bool {
	return (s.over(h.Task) || stuck[h.Task]) && !(running && t.lent)
}

// over reports whether a task has come to its end. One that calls os.Exit may have been about to do
// more.
func (s *state) over(t op.Task) bool {
	if t == s.left {
		return !s.exited
	}
	return s.tasks[t] == nil
}

// writerWaits reports whether a stuck task waits to write, behind which readers wait.
func (t *resource) writerWaits(stuck taskSet) bool {
	for w := range t.writers {
		if stuck[w] {
			return true
		}
	}
	return false
}

func (s *state) isTimer(c op.Case) bool {
	return !c.Send && c.Object != 0 && s.resources.Of(c.Object).timed
}

// awaitsUnlock reports whether a task waits for a lock. Any goroutine may unlock what another one
// has locked, so it is not certain that none will as long as one can go on.
func (s *state) awaitsUnlock(task op.Task) bool {
	kind := s.tasks[task].block.Kind
	return kind == op.Lock || kind == op.RLock
}

// causeOf returns where a lock was taken that a task waits for, if that is never given back since
// the task that took it has ended; else 0.
func (s *state) causeOf(b *block) op.Place {
	if b.Kind != op.Lock && b.Kind != op.RLock {
		return 0
	}
	t := s.resources.Of(b.object)
	for _, h := range t.holders() {
		if s.over(h.Task) {
			return h.At
		}
	}
	return 0
}
