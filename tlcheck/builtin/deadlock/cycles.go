package deadlock

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// Cycle is a deadlock: parties that each wait for the next, the last for the first unless it
// has ended.
type Cycle struct {
	Parties  []Party
	Schedule []op.Step // leads there, ending with Block or End; what else must happen is left out
	Observed bool      // the run has ended there
	// another order of the run leads there in which each lock is taken in the order of the run, or
	// each read sees what it saw
	Exact bool
	// no task unlocks what another one has locked: nothing else is left to doubt at the end of the
	// run
	Assumes bool
	Count   int // cycles at the same places with other locks, this one included
	// reads on the way there that saw in the run what they do not see in Schedule
	ahead []reorder.Sight
	// what may be needed and is missing there; nil if nothing
	enabled *enabling
}

// Party is a task that waits.
type Party struct {
	Task   op.Task
	Kind   op.Kind   // what it waits to do: Lock, RLock, Send, Recv, Wait or Select; End if it has ended
	Object op.Object // with what
	RW     bool      // that is an RWMutex
	At     op.Place
	K      int32 // number of the operation with which it waits
	Held   []rule.HeldLock
	// of the next party: its section of Lock or RLock, Block if that waits to write; None if
	// something that comes later
	For op.Kind
}

// summarise returns a cycle as callers see it.
func (d *Detector) summarise(c *cycle, observed bool) Cycle {
	d.noteEnabling(c) // a task may have signalled since the cycle was found
	seen := Cycle{
		Observed: observed,
		Exact:    c.exact && (c.prefix == nil || !c.prefix.IsOpen()),
		Assumes:  c.assumes,
		Count:    max(1, len(c.alike)),
		Schedule: d.schedule(c),
		ahead:    c.ahead,
		enabled:  c.enabled,
	}
	for i := range c.moments {
		m := &c.moments[i]
		p := Party{Task: m.Task, Kind: m.Kind, Object: m.waitsOn(), At: m.At, K: m.K, RW: m.lock != nil && m.lock.readers}
		switch blocker := &c.blocker[i]; {
		case blocker.lock != nil:
			p.For = blocker.Kind
		case m.lock != nil:
			p.For = op.Block
		}
		if m.isSelect() {
			p.Kind = op.Select
		}
		for _, h := range c.locksHeldBy(m) {
			if h.Kind == op.Send && observed && c.isOfLocks() {
				continue // what comes may show that the channel is no lock
			}
			p.Held = append(p.Held, rule.HeldLock{Object: h.lock.object, Kind: h.Kind, At: h.At})
		}
		seen.Parties = append(seen.Parties, p)
	}
	return seen
}

// locksHeldBy returns the locks that a party holds, without channels in which it has left a
// message: no task has taken back what it had sent there, and no party waits for that.
func (c *cycle) locksHeldBy(m *moment) []acquisition {
	return slices.DeleteFunc(slices.Clone(m.heldLocks()), func(h acquisition) bool {
		isWanted := slices.ContainsFunc(c.moments, func(m moment) bool { return m.waitsOn() == h.lock.object })
		return h.Kind == op.Send && (h.lock.none || !h.lock.serves && !isWanted)
	})
}

// isOfLocks reports whether each of the tasks waits for a lock that is no channel.
func (c *cycle) isOfLocks() bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool { return m.lock == nil })
}

// waitsOn returns what m waits for, 0 if that is not one object.
func (m *moment) waitsOn() op.Object {
	switch {
	case m.lock != nil:
		return m.lock.object
	case m.wait.on.on == nil || m.isSelect():
		return 0
	}
	return m.wait.on.on.object
}

// isSelect reports whether m is in a select statement.
func (m *moment) isSelect() bool { return m.wait.all != nil && len(m.wait.all.targets) > 0 }

// schedule returns the operations that lead to the cycle: tasks are started, locks acquired, and
// then all wait.
func (d *Detector) schedule(c *cycle) []op.Step {
	type timed struct {
		op.Step
		seq   int64
		level int
	}
	var steps []timed
	add := func(a *acquisition, s op.Step) {
		level := 0
		if c.prefix == nil {
			level = c.levels.Of(&a.Acquisition)
		}
		steps = append(steps, timed{s, a.Seq, level})
	}
	for i := range c.moments {
		m := &c.moments[i]
		for b := m.started; b != nil; b = b.parent {
			add(&b.acquisition, op.Step{Task: b.Task, Other: b.child, Kind: op.Go, At: b.At, K: b.K})
		}
		for _, h := range c.locksHeldBy(m) {
			add(&h, op.Step{Task: m.Task, Other: op.NoTask, Kind: h.Kind, Object: h.lock.object, At: h.At, K: h.K})
		}
	}
	slices.SortFunc(steps, func(a, b timed) int {
		return cmp.Or(a.level-b.level, cmp.Compare(a.seq, b.seq))
	})
	var schedule []op.Step
	for i, s := range steps {
		if i == 0 || s.seq != steps[i-1].seq {
			schedule = append(schedule, s.Step)
		}
	}
	for _, m := range c.inWaitOrder() {
		step := op.Step{Task: m.Task, Other: op.NoTask, Kind: op.Block, Object: m.waitsOn(), At: m.At, K: m.K}
		if m.Kind == op.End {
			step.Kind = op.End
		}
		schedule = append(schedule, step)
	}
	return schedule
}

// inWaitOrder returns the moments in an order in which the waits can begin: after the end of a task
// that holds a lock for ever, and writers before the readers that they keep out.
func (c *cycle) inWaitOrder() []moment {
	rank := map[op.Kind]int{op.End: -1, op.RLock: 1}
	moments := slices.Clone(c.moments)
	slices.SortStableFunc(moments, func(a, b moment) int { return rank[a.Kind] - rank[b.Kind] })
	return moments
}
