package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// lostSignals finds tasks that wait for ever in another order of the run.
//
// Wait enlists its task, unlocks the lock and waits. If no Signal or Broadcast of the run comes
// after that unlock, in the full order, there is a slice in which all of them have come and the
// task has not enlisted yet: it waits for ever. A program that changes the condition under the lock
// is not concerned: a task that signals then has locked it after the first, or that sees the
// condition.
//
// Of the Signals of a task for which no other waits only one may be recorded, and one that wakes no
// task must not be followed by others. So what is claimed needs that the tasks that signalled have
// ended, or wait for ever, and know nothing of the unlock even then, or that they have waited for
// something that comes after it before they knew (see noteAnswer).
//
// Others may signal instead of them if the task waits for too long. It is assumed that they do not,
// unless each of the others has ended without knowledge of what the task did after the Wait, is
// started by a task with that knowledge, or waits for a WaitGroup before it has it. A task whose
// timer was stopped counts as ended, with the knowledge of the task that stopped it. If the timer
// was armed again, it may have known anything.
//
// When a Cond is freed, no task can signal it any more: as if all that signalled had ended, with
// what they know by then.
type lostSignals struct {
	*memory
	open  []op.Object // that may have waits which no Signal came after
	freed []lostWait  // of Conds that were freed, one of each place
}

// condWaits are the Waits of a Cond that no Signal came after so far.
type condWaits struct {
	list    []condWait
	signals []signal
	unsure  bool // some tasks that signalled were dropped
}

// signal is a Signal or Broadcast, and the locks that guard it: those that its task held, or had
// unlocked right before.
type signal struct {
	candidate.Mark
	guards []op.Object
}

// condWait is a Wait that no Signal came after so far.
type condWait struct {
	unlock candidate.Event // by the Wait
	lock   op.Object       // which that unlocks
	wait   candidate.Mark
	held   []rule.HeldLock // other locks

	behind []waiter // tasks that signalled and then wait for what comes after it
	others bool     // another task might signal
}

// waiter is a task that waits for something.
type waiter struct {
	candidate.Mark
	object op.Object
}

// lostWait is a Wait that can last for ever.
type lostWait struct {
	condWait
	cond      op.Object
	signals   []candidate.Mark // the last one of each task
	unguarded []candidate.Mark // see condWaits.unguarded
}

const (
	maxCondWaits = 16 // of one Cond
	maxSignalled = 8  // Conds that one task signals
	maxBehind    = 4  // tasks
	maxLost      = 64 // Conds with waits that no Signal came after; with more, any task might signal
	maxJoined    = 4  // Waits of one task for WaitGroups
	maxFreed     = 64 // Waits for Conds that were freed
)

// joined is a Wait for a WaitGroup: what the task knew before and after it.
type joined struct{ begin, full *clock.Clock }

func (l *lostSignals) noteWait(o *op.Op) {
	c := l.conds.Ensure(o.Object)
	if len(c.list) == 0 && !slices.Contains(l.open, o.Object) && len(l.open) <= maxLost {
		l.open = append(l.open, o.Object)
	}
	c.add(o, l.task(o.Task), l.run.Task(o.Task).Held)
}

// add keeps the last Wait of each place. A Signal that comes after its unlock comes also after
// the unlocks of those before it, but not the other way round. One that a task has waited behind
// stays.
func (s *condWaits) add(o *op.Op, t *task, held []rule.HeldLock) {
	s.list = slices.DeleteFunc(s.list, func(x condWait) bool {
		return x.wait.At == o.At && x.unlock.Before(o) && len(x.behind) == 0
	})
	isKnown := slices.ContainsFunc(s.list, func(x condWait) bool { return x.wait.At == o.At })
	if isKnown || len(s.list) == maxCondWaits {
		return
	}
	w := condWait{unlock: candidate.EventOf(o), wait: candidate.MarkOf(o, op.CondWait)}
	w.unlock.K, w.unlock.Kind, w.lock, w.held = t.unlocked, op.Unlock, t.freed, slices.Clone(held)
	s.list = append(s.list, w)
}

// dropSignalled forgets the waits whose unlock comes before a Signal.
func (s *condWaits) dropSignalled(o *op.Op) {
	s.list = slices.DeleteFunc(s.list, func(w condWait) bool { return w.unlock.Before(o) })
}

// dropEnded forgets the waits whose unlock a task that signalled knows at its end, or when it waits
// for ever, unless it waits already where they do.
func (s *condWaits) dropEnded(task op.Task, know *clock.Clock) {
	s.list = slices.DeleteFunc(s.list, func(w condWait) bool {
		u := &w.unlock
		return (u.Task == task || know.At(int32(u.Task)) >= u.K) && !w.isBehind(task)
	})
}

func (w *condWait) isBehind(task op.Task) bool {
	return slices.ContainsFunc(w.behind, func(b waiter) bool { return b.Task == task })
}

func (t *task) noteJoin(o *op.Op) {
	if len(t.joined) < maxJoined {
		t.joined = append(t.joined, joined{o.Begin, o.Full})
	}
}

// follows reports whether a clock has what the task did after the Wait.
func (w *condWait) follows(know *clock.Clock) bool { return know.At(int32(w.wait.Task)) > w.wait.K }

// mayEnd reports whether a task might end the Wait: it is not started by one that knows what comes
// after that, and does not wait for a WaitGroup before it knows.
func (w *condWait) mayEnd(task op.Task, t *task) bool {
	return task != w.wait.Task && !w.follows(t.born) &&
		!slices.ContainsFunc(t.joined, func(j joined) bool {
			return !w.follows(j.begin) && w.follows(j.full)
		})
}

// noteEnd notes that a task ends. It may have signalled.
func (l *lostSignals) noteEnd(o *op.Op, t *task, armed bool) {
	for _, c := range t.signalled {
		if cond := l.conds.At(c); cond != nil {
			cond.dropEnded(o.Task, o.Full)
		}
	}
	l.othersEnd(o.Task, t, armed, o.Full)
}

// othersEnd notes for all Waits that a task has ended, with what it knew.
func (l *lostSignals) othersEnd(task op.Task, t *task, armed bool, last *clock.Clock) {
	l.open = slices.DeleteFunc(l.open, func(object op.Object) bool {
		c := l.conds.At(object)
		if c == nil {
			return true
		}
		for i := range c.list {
			c.list[i].othersEnd(task, t, armed, last)
		}
		return len(c.list) == 0
	})
	for i := range l.freed {
		l.freed[i].othersEnd(task, t, armed, last)
	}
}

func (w *condWait) othersEnd(task op.Task, t *task, armed bool, last *clock.Clock) {
	w.others = w.others || (armed || w.follows(last)) && w.mayEnd(task, t)
}

// noteStop notes that a timer is stopped: it does not start its task.
func (l *lostSignals) noteStop(by *op.Op) {
	timer := l.run.EndedTask
	know := by.Full
	if by.Task != op.NoTask {
		know = know.With(int32(by.Task), by.K)
	}
	l.othersEnd(timer, l.task(timer), false, know)
	l.forget(timer)
}

// othersRun reports whether a task that has not ended might end a Wait.
func (l *lostSignals) othersRun(w *condWait, stuck state.Tasks) bool {
	for task, t := range l.run.Tasks() {
		over := task == l.run.Left || stuck[task] && !w.follows(t.Block.Full)
		if !over && w.mayEnd(task, l.task(task)) {
			return true
		}
	}
	return false
}

func (l *lostSignals) noteSignal(o *op.Op) {
	c, t := l.conds.Ensure(o.Object), l.task(o.Task)
	c.dropSignalled(o)
	c.noteGuards(candidate.MarkOf(o, o.Kind), l.run.Task(o.Task).Held, t)
	if len(t.signalled) == maxSignalled {
		t.signalled = slices.DeleteFunc(t.signalled, func(c op.Object) bool { return l.conds.At(c) == nil })
	}
	switch {
	case slices.Contains(t.signalled, o.Object):
	case len(t.signalled) == maxSignalled:
		c.unsure = true
	default:
		t.signalled = append(t.signalled, o.Object)
	}
}

// noteGuards keeps the locks that have guarded a signal each time.
func (s *condWaits) noteGuards(m candidate.Mark, held []rule.HeldLock, t *task) {
	var guards []op.Object
	for _, h := range held {
		guards = append(guards, h.Object)
	}
	if t.unlocked == m.K-1 {
		guards = append(guards, t.freed)
	}
	i := slices.IndexFunc(s.signals, func(x signal) bool {
		return x.Task == m.Task && x.At == m.At && x.Kind == m.Kind
	})
	switch {
	case i >= 0:
		known := s.signals[i].guards
		s.signals[i].guards = slices.DeleteFunc(known, func(o op.Object) bool { return !slices.Contains(guards, o) })
	case len(s.signals) < state.MaxUsers:
		s.signals = append(s.signals, signal{m, guards})
	}
}

// unguarded returns the signals that come neither under the lock that a Wait unlocks nor right
// behind its section. They are to blame: their tasks have not changed the condition there.
func (s *condWaits) unguarded(w *condWait) []candidate.Mark {
	var all []candidate.Mark
	for _, x := range s.signals {
		if !slices.Contains(x.guards, w.lock) && len(all) < maxUsersNamed {
			all = append(all, x.Mark)
		}
	}
	return all
}

// noteAnswer handles the end of a wait that only one task could end: of a counter, a close, or for
// the only sender. at is the waiting task's operation. If the task learnt during it of a Wait of a
// Cond that it may have signalled, it cannot go on before that Wait has returned.
func (l *lostSignals) noteAnswer(at candidate.Mark, object op.Object, begin, full *clock.Clock) {
	for _, c := range l.task(at.Task).signalled {
		cond := l.conds.At(c)
		if cond == nil {
			continue
		}
		for i := range cond.list {
			w := &cond.list[i]
			u := w.unlock.Mark
			learnt := full.At(int32(u.Task)) >= u.K && begin.At(int32(u.Task)) < u.K
			if learnt && u.Task != at.Task && len(w.behind) < maxBehind {
				w.behind = append(w.behind, waiter{at, object})
			}
		}
	}
}

// noteFree keeps the Waits of a Cond that is freed which can last for ever.
func (l *lostSignals) noteFree(cond op.Object, freed *state.Object) {
	l.open = slices.DeleteFunc(l.open, func(c op.Object) bool { return c == cond })
	c := l.conds.At(cond)
	if c == nil || len(c.list) == 0 || !c.isSure(freed) {
		return
	}
	for number, t := range l.run.Tasks() {
		if slices.Contains(l.task(number).signalled, cond) {
			c.dropEnded(number, t.Know)
		}
	}
	for _, w := range c.list {
		isKnown := slices.ContainsFunc(l.freed, func(x lostWait) bool { return x.wait.At == w.wait.At })
		if !isKnown && len(l.freed) < maxFreed {
			l.freed = append(l.freed, lostWait{w, cond, lastUses(freed, op.NoTask, signals), c.unguarded(&w)})
		}
	}
}

// signals are the operations that end a Wait.
var signals = []op.Kind{op.Signal, op.Broadcast}

// isSure reports whether the Cond was signalled, and all that signalled it are known.
func (s *condWaits) isSure(cond *state.Object) bool {
	isSignal := func(m candidate.Mark) bool { return slices.Contains(signals, m.Kind) }
	return !s.unsure && len(cond.Users.List) < state.MaxUsers && slices.ContainsFunc(cond.Users.List, isSignal)
}

// mayBeEnded reports whether other tasks might signal if a Wait lasts for too long.
func (l *lostSignals) mayBeEnded(w *lostWait, stuck state.Tasks) bool {
	return w.others || len(l.open) > maxLost || l.othersRun(&w.condWait, stuck)
}

// lostWaits returns the Waits of the Cond that can last for ever.
func (l *lostSignals) lostWaits(object op.Object, t *state.Object, stuck state.Tasks) []lostWait {
	c := l.conds.At(object)
	if c == nil || !c.isSure(t) {
		return nil
	}
	for _, m := range t.Users.List {
		task := l.run.Task(m.Task)
		if task == nil || m.Task == l.run.Left || !slices.Contains(signals, m.Kind) {
			continue
		}
		if !stuck[m.Task] {
			return nil // it may signal again
		}
		c.dropEnded(m.Task, task.Block.Full)
	}
	var all []lostWait
	for _, w := range c.list {
		if !stuck[w.wait.Task] {
			all = append(all, lostWait{w, object, lastUses(t, op.NoTask, signals), c.unguarded(&w)})
		}
	}
	return all
}
