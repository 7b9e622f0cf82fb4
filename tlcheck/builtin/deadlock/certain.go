package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// Certain returns the deadlocks found since it was called last that stand however the run goes on.
//
// Those that have happened are cycles of tasks that wait for each other's locks. A task says that
// it waits when it could not have the lock, that it has locked after that, and that it unlocks
// before it does. So all in the cycle wait at the moment up to which the run was told; only an
// unlock by another task, which is none of theirs, can end that. Who waits to read behind a writer
// that waits is different: the writer before that may have let him in, which he says later. He
// counts if he holds the lock for reading already.
//
// Predicted ones stand if they rest on locks alone and the sections in them are over. Whatever
// waits for a channel may still be met by a task that has not used it so far. None is Exact by what
// was read, since any read can turn out to race with a write that comes.
func (d *Detector) Certain() []Cycle {
	cycles := d.standing()
	for _, c := range d.list {
		if !c.told && c.isSettled() {
			c.told = true
			told := d.summarise(c, false)
			told.Exact, told.Assumes = c.exact && c.prefix == nil && !c.isHandedOver(), d.isOfGo
			cycles = append(cycles, told)
		}
	}
	return cycles
}

// begins notes that a task begins to wait for a lock. The last one in a cycle to do so holds a
// lock, or keeps readers out.
func (d *Detector) begins(a *actor) {
	if len(d.begun) < maxBegun && (len(a.held) > 0 || a.waits.Kind == op.Lock && a.waits.lock.readers) {
		d.begun = append(d.begun, a)
	}
}

// standing returns the cycles of tasks that wait for each other's locks now, and did not when it
// was called last.
func (d *Detector) standing() []Cycle {
	if len(d.begun) == 0 {
		return nil
	}
	from := slices.DeleteFunc(d.begun, func(a *actor) bool { return a.waits == nil })
	if len(d.begun) == maxBegun {
		from = d.blocked()
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

// isSettled reports whether nothing that comes can keep the tasks from waiting for each other: see
// holds.
func (c *cycle) isSettled() bool {
	return !slices.ContainsFunc(c.moments, func(m moment) bool {
		return m.lock == nil || m.Kind == op.End || m.lock.none || slices.ContainsFunc(m.holds(), func(h acquisition) bool {
			return h.Kind == op.Send || h.lock.none || h.lock.isCrossed(h.Seq) || h.isOpen()
		})
	})
}
