package builtin

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// lostSignals is what a Cond remembers to find tasks that wait for ever in another order of the run.
//
// Wait enlists its task, unlocks the lock and waits. If no Signal or Broadcast of the run comes after that
// unlock, in the full order, there is a slice in which all of them have come and the task has not
// enlisted yet: it waits for ever. A program that changes the condition under the lock is not concerned:
// who signals then has locked it after the task, or the task sees the condition.
//
// A Signal for which nobody waits is not told. So what is claimed needs that those who signalled have
// ended, or wait for ever, and did not know of the unlock even then.
type lostSignals struct {
	waits  []condWait
	unsure bool // not all who signalled are known
}

// condWait is a Wait that no Signal came after so far.
type condWait struct {
	unlock event // by the Wait
	wait   mark
	held   []Held // besides
}

const (
	maxCondWaits = 16 // of one Cond
	maxSignalled = 8  // Conds that one task signals
)

// begins tells that a task waits for the Cond.
func (s *lostSignals) begins(o *op.Op, t *stuckTask) {
	w := condWait{event{mark{o.Task, t.unlocked, o.At, op.Unlock}, o.Full}, markOf(o, op.CondWait), nil}
	i := slices.IndexFunc(s.waits, func(x condWait) bool { return x.wait.at == o.At })
	switch {
	case i >= 0:
		return
	case len(s.waits) < maxCondWaits:
		w.held = slices.Clone(t.held)
		s.waits = append(s.waits, w)
	}
}

// known forgets the waits whose unlock comes before what o tells.
func (s *lostSignals) known(o *op.Op) {
	s.waits = slices.DeleteFunc(s.waits, func(w condWait) bool { return w.unlock.before(o) })
}

// signals tells that the task of o signals the Cond.
func (d *stuckDetector) signals(o *op.Op) {
	c, t := &d.thing(o.Object).lost, d.task(o.Task)
	c.known(o)
	switch {
	case slices.Contains(t.signalled, o.Object):
	case len(t.signalled) == maxSignalled:
		c.unsure = true
	default:
		t.signalled = append(t.signalled, o.Object)
	}
}

// lostWaits returns the waits for the Cond that can be for ever.
func (d *stuckDetector) lostWaits(t *thing, stuck taskSet) []condWait {
	signals := false
	for _, m := range t.users.list {
		if m.kind != op.Signal && m.kind != op.Broadcast {
			continue
		}
		signals = true
		if task := d.tasks[m.task]; task != nil && m.task != d.left {
			if !stuck[m.task] {
				return nil // it may signal again
			}
			t.lost.known(&op.Op{Task: m.task, K: task.block.k, Other: op.NoTask, Full: task.block.full})
		}
	}
	if !signals || t.lost.unsure || len(t.users.list) == maxUsers {
		return nil
	}
	return slices.DeleteFunc(t.lost.waits, func(w condWait) bool { return stuck[w.wait.task] })
}
