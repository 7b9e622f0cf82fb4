package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// Certain returns the deadlocks found since the last call that stand however the run goes on.
//
// Those that have happened are cycles of tasks that wait for each other's locks. A task reports a
// wait when it could not have the lock, a lock after it has it, and an unlock before that takes
// effect. So all tasks of the cycle wait after the last operation, and only an unlock by another
// task can end that. A reader behind a waiting writer is different: the writer before may have let
// it in, which it reports later. It counts if it holds the lock for reading already.
//
// Predicted ones stand if they rest on locks alone and the sections in them are over: a task that
// has not used a channel so far may still end a wait there. None is Exact by what was read, since
// any read can turn out to race with a later write.
func (d *Detector) Certain() []Cycle {
	cycles := d.newStanding()
	for _, c := range d.list {
		if !c.reported && c.isSettled() {
			c.reported = true
			settled := d.summarise(c, false)
			settled.Exact, settled.Assumes = c.exact && c.prefix == nil && !c.isHandedOver(), d.isOfGo
			cycles = append(cycles, settled)
		}
	}
	return cycles
}

// noteBegun notes that a task begins to wait for a lock. The last task of a cycle that does so
// holds a lock, or keeps readers out.
func (d *Detector) noteBegun(a *actor) {
	if len(d.begun) < maxBegun && (len(a.held) > 0 || a.waits.Kind == op.Lock && a.waits.lock.readers) {
		d.begun = append(d.begun, a)
	}
}

// newStanding returns the cycles of tasks that wait for each other's locks now, and did not at the
// last call.
func (d *Detector) newStanding() []Cycle {
	if len(d.begun) == 0 {
		return nil
	}
	from := slices.DeleteFunc(d.begun, func(a *actor) bool { return a.waits == nil })
	if len(d.begun) == maxBegun {
		from = d.blockedTasks()
	}
	var cycles []Cycle
	for _, c := range newWaitsFor(d, true).cycles(from) {
		if wait := c.moments[0].Seq; !d.stands[wait] {
			cycles = append(cycles, d.summarise(c, true))
			if d.stands == nil {
				d.stands = map[int64]bool{}
			}
			d.stands[wait] = true
		}
	}
	d.begun = d.begun[:0]
	return cycles
}

// isSettled reports whether no later operation can keep the tasks from waiting for each other: see
// isDeadlock.
func (c *cycle) isSettled() bool {
	return c.isOfSections() && !slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.lock == nil || m.Kind == op.End || slices.ContainsFunc(m.heldLocks(), func(h acquisition) bool {
			return h.Kind == op.Send || h.isOpen()
		})
	})
}
