package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// lostSignals is what a Cond remembers to find tasks that wait for ever in another order of the run.
//
// Wait enlists its task, unlocks the lock and waits. If no Signal or Broadcast of the run comes after that
// unlock, in the full order, there is a slice in which all of them have come and the task has not
// enlisted yet: it waits for ever. A program that changes the condition under the lock is not concerned:
// who signals then has locked it after the task, or the task sees the condition.
//
// Of the Signals of a task for which nobody waits only one may be told, and one that nobody answers must not
// be followed by others. So what is claimed needs that those who signalled have ended, or wait for ever, and
// know nothing of the unlock even then, or that they have waited for something that comes after it before
// they knew (see answered).
//
// Others may signal instead of them if the task waits for too long. So it is assumed that they do not, unless each of the others
// has ended without knowledge of what the task did after the Wait, is started by who has it, or waits for a WaitGroup before it has it. A timer
// that would start another one and was stopped counts as if that had ended with what was known to who has stopped it; if it was armed
// again, who has done so may have known anything.
type lostSignals struct {
	waits  []condWait
	unsure bool // not all who signalled are known
}

// condWait is a Wait that no Signal came after so far.
type condWait struct {
	unlock candidate.Event // by the Wait
	wait   candidate.Mark
	held   []rule.HeldLock // besides

	behind []waiter // who signalled and then waits for what comes after it
	others bool     // somebody else might signal
}

// waiter is a task that waits for something.
type waiter struct {
	candidate.Mark
	object op.Object
}

const (
	maxCondWaits = 16 // of one Cond
	maxSignalled = 8  // Conds that one task signals
	maxBehind    = 4  // tasks
	maxLost      = 64 // Conds with waits that no Signal came after; of more it is not looked at who else might signal
	maxJoined    = 4  // Waits of one task for WaitGroups
)

// joined is a Wait for a WaitGroup: what the task knew before and behind it.
type joined struct{ begin, full *clock.Clock }

// awaits tells that a task waits for the Cond.
func (d *detector) awaits(o *op.Op, c *thing) {
	if len(c.lost.waits) == 0 && !slices.Contains(d.lost, o.Object) && len(d.lost) <= maxLost {
		d.lost = append(d.lost, o.Object)
	}
	c.lost.begins(o, d.task(o.Task))
}

func (s *lostSignals) begins(o *op.Op, t *task) {
	w := condWait{unlock: candidate.EventOf(o), wait: candidate.MarkOf(o, op.CondWait)}
	w.unlock.K, w.unlock.Kind = t.unlocked, op.Unlock
	i := slices.IndexFunc(s.waits, func(x condWait) bool { return x.wait.At == o.At })
	switch {
	case i >= 0:
		return
	case len(s.waits) < maxCondWaits:
		w.held = slices.Clone(t.held)
		s.waits = append(s.waits, w)
	}
}

// signalled forgets the waits whose unlock comes before a Signal.
func (s *lostSignals) signalled(o *op.Op) {
	s.waits = slices.DeleteFunc(s.waits, func(w condWait) bool { return w.unlock.Before(o) })
}

// ended forgets the waits whose unlock comes before the end of a task that signalled, or before it waits for
// ever, unless it waits already where they do.
func (s *lostSignals) ended(o *op.Op) {
	s.waits = slices.DeleteFunc(s.waits, func(w condWait) bool { return w.unlock.Before(o) && !w.isBehind(o.Task) })
}

func (w *condWait) isBehind(task op.Task) bool {
	return slices.ContainsFunc(w.behind, func(b waiter) bool { return b.Task == task })
}

// joins tells that a task has waited for a WaitGroup.
func (t *task) joins(o *op.Op) {
	if len(t.joined) < maxJoined {
		t.joined = append(t.joined, joined{o.Begin, o.Full})
	}
}

// follows reports whether a clock has what the task did after the Wait.
func (w *condWait) follows(know *clock.Clock) bool { return know.At(int32(w.wait.Task)) > w.wait.K }

// mayEnd reports whether a task that knows so much at last might have ended the Wait.
func (w *condWait) mayEnd(task op.Task, t *task, last *clock.Clock) bool {
	return task != w.wait.Task && (t.armed || w.follows(last)) && !w.follows(t.born) &&
		!slices.ContainsFunc(t.joined, func(j joined) bool { return !w.follows(j.begin) && w.follows(j.full) })
}

// othersEnd tells of all Waits that a task has ended, with what it knew.
func (d *detector) othersEnd(task op.Task, t *task, last *clock.Clock) {
	d.lost = slices.DeleteFunc(d.lost, func(object op.Object) bool {
		c := d.things.At(object)
		if c == nil {
			return true
		}
		for i := range c.lost.waits {
			w := &c.lost.waits[i]
			w.others = w.others || w.mayEnd(task, t, last)
		}
		return len(c.lost.waits) == 0
	})
}

// isStopped tells that a timer does not start its task, as somebody has stopped it.
func (d *detector) isStopped(timer op.Task, by *op.Op) {
	t := d.tasks[timer]
	if t == nil {
		return
	}
	know := by.Full
	if by.Task != op.NoTask {
		know = know.With(int32(by.Task), by.K)
	}
	t.armed = false
	d.othersEnd(timer, t, know)
	d.tasks[timer] = nil
}

// othersRun reports whether a task that has not ended might end a Wait.
func (d *detector) othersRun(w *condWait, stuck taskSet) bool {
	for i, t := range d.tasks {
		task := op.Task(i)
		if t == nil || task == d.left || task == w.wait.Task || stuck[task] && !w.follows(t.block.full) || w.follows(t.born) {
			continue
		}
		if !slices.ContainsFunc(t.joined, func(j joined) bool { return !w.follows(j.begin) && w.follows(j.full) }) {
			return true
		}
	}
	return false
}

// signals tells that the task of o signals the Cond.
func (d *detector) signals(o *op.Op) {
	c, t := &d.things.Of(o.Object).lost, d.task(o.Task)
	c.signalled(o)
	switch {
	case slices.Contains(t.signalled, o.Object):
	case len(t.signalled) == maxSignalled:
		c.unsure = true
	default:
		t.signalled = append(t.signalled, o.Object)
	}
}

// answered tells that a task, at, has waited for something that only one can bring about: for a counter,
// for a close, or for the only one who sends. If it has learnt there of a Wait that it may have signalled, it
// does not go on before that Wait has returned.
func (d *detector) answered(at candidate.Mark, object op.Object, begin, full *clock.Clock) {
	for _, c := range d.tasks[at.Task].signalled {
		cond := d.things.At(c)
		if cond == nil {
			continue
		}
		for i := range cond.lost.waits {
			w := &cond.lost.waits[i]
			u := w.unlock.Mark
			if u.Task != at.Task && full.At(int32(u.Task)) >= u.K && begin.At(int32(u.Task)) < u.K && len(w.behind) < maxBehind {
				w.behind = append(w.behind, waiter{at, object})
			}
		}
	}
}

// lostWaits returns the waits for the Cond that can be for ever.
func (d *detector) lostWaits(t *thing, stuck taskSet) []condWait {
	signals := false
	for _, m := range t.users.List {
		if m.Kind != op.Signal && m.Kind != op.Broadcast {
			continue
		}
		signals = true
		if task := d.tasks[m.Task]; task != nil && m.Task != d.left {
			if !stuck[m.Task] {
				return nil // it may signal again
			}
			t.lost.ended(&op.Op{Task: m.Task, K: task.block.K, Other: op.NoTask, Full: task.block.full})
		}
	}
	if !signals || t.lost.unsure || len(t.users.List) == maxUsers {
		return nil
	}
	return slices.DeleteFunc(t.lost.waits, func(w condWait) bool { return stuck[w.wait.Task] })
}
