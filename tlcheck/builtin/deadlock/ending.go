package deadlock

import (
	"cmp"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// ending is an execution that ends in a deadlock: what all tasks did in the run, in the order of
// the run, up to their cuts. The cuts of the parties are their moments. Another task has a cut
// where it cannot go on: it is not started, the counter of a WaitGroup keeps it, or it needs a lock
// that a task holds at a cut. All others come to their end.
//
// This can be executed: what each task knows at its cut or end comes before the cuts of the others,
// and no task needs a lock that is held at a cut. The parties wait until others unlock what they
// hold or use their channels, and no other task can do anything.
type ending struct {
	*Detector
	*cycle
	cuts map[op.Task]cut
	open []acquisition // sections in which tasks are at their cuts
}

// cut is the first operation that a task does not do.
type cut struct {
	k     int32
	knows *clock.Clock // before it
}

// isUndisturbed reports whether a cycle is known to be an ending.
//
// Time: the tasks of the run, for each one with a cut.
func (d *Detector) isUndisturbed(c *cycle) bool {
	if d.crowd || len(d.handovers) > maxHandovers {
		return false
	}
	e := &ending{Detector: d, cycle: c, cuts: map[op.Task]cut{}}
	for i := range c.moments {
		m := &c.moments[i]
		e.add(m.Task, cut{m.K, cmp.Or(m.Data, m.Free)}, m.heldLocks())
	}
	tasks := slices.Sorted(maps.Keys(d.bystanders))
	for again := true; again; {
		again = false
		for _, task := range tasks {
			if e.arrives(task) {
				continue
			}
			if _, isCut := e.cuts[task]; isCut || !e.setCut(task) {
				return false
			}
			again = true
		}
	}
	half := func(h handover) bool { return e.isMissing(h.begin) != e.isMissing(h.end) }
	return !slices.ContainsFunc(d.handovers, half)
}

func (e *ending) add(task op.Task, at cut, holds []acquisition) {
	e.cuts[task] = at
	e.open = append(e.open, holds...)
}

// isMissing reports whether a clock has something that is not in the execution.
func (e *ending) isMissing(know *clock.Clock) bool {
	for task, at := range e.cuts {
		if know.At(int32(task)) >= at.k {
			return true
		}
	}
	return false
}

// arrives reports whether a task comes to its cut, or to its end if it has none. No task holds what
// the parties need on their way: that is known.
func (e *ending) arrives(task op.Task) bool {
	at, isCut := e.cuts[task]
	switch t := e.bystanders[task]; {
	case isCut && e.isMissing(at.knows), !isCut && (!t.ended || e.isMissing(t.last)):
		return false
	case e.has(task):
		return true
	}
	return !slices.ContainsFunc(e.open, func(h acquisition) bool {
		first, found := h.WantedBy(task)
		return found && (!isCut || first == nil || first.K < at.k)
	})
}

// setCut sets the cut of a task where it cannot go on. It reports false if that is not known.
func (e *ending) setCut(task op.Task) bool {
	if len(e.cuts) == maxCuts {
		return false
	}
	t := e.bystanders[task]
	if t.started && e.isMissing(t.born.With(int32(t.by), t.k)) {
		e.add(task, cut{k: 1}, nil)
		return true
	}
	for i := range t.waits {
		if w := &t.waits[i]; !e.isMissing(w.before) && e.isMissing(w.behind) && w.isNeverDone(task, e.cycle) {
			e.add(task, cut{w.k, w.before}, w.held)
			return true
		}
	}
	return e.setCutAtLock(task)
}

// setCutAtLock sets the cut of a task to its first acquisition of a lock that another task holds at
// its cut. It reports false if there is none, or if that is not known to block.
func (e *ending) setCutAtLock(task op.Task) bool {
	var first *reorder.Acquisition
	for i := range e.open {
		if next, _ := e.open[i].WantedBy(task); next != nil && (first == nil || next.K < first.K) {
			first = next
		}
	}
	if first != nil {
		e.add(task, cut{first.K, cmp.Or(first.Data, first.Free)}, nil)
		return first.Alone
	}
	a := e.actors[task]
	if a == nil || a.waits == nil || !a.waits.isExcludedBy(e.open) {
		return false
	}
	e.add(task, cut{a.waits.K, cmp.Or(a.waits.Data, a.waits.Free)}, a.held)
	return true
}
