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
// the run, up to their cuts. The cuts of the parties are their moments. Others have one where they
// cannot go on: they are not started, a WaitGroup on which something is still to be done keeps
// them, or they need a lock that somebody has at a cut. All others come to their end.
//
// This can be executed, as what each task knows at its cut or end comes before the cuts of the
// others, and nobody needs what somebody has at a cut. The parties wait until others unlock what
// they have or use their channels, and there are no others who can do anything.
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

// isUndisturbed reports whether a cycle is an ending. It may be one if too much was forgotten to
// know.
//
// Time: the tasks of the run, for each one with a cut.
func (d *Detector) isUndisturbed(c *cycle) bool {
	if d.crowd || len(d.handovers) > maxHandovers {
		return false
	}
	e := &ending{Detector: d, cycle: c, cuts: map[op.Task]cut{}}
	for i := range c.moments {
		m := &c.moments[i]
		e.add(m.Task, cut{m.K, cmp.Or(m.Data, m.Free)}, m.holds())
	}
	tasks := slices.Sorted(maps.Keys(d.bystanders))
	for again := true; again; {
		again = false
		for _, task := range tasks {
			if e.arrives(task) {
				continue
			}
			if _, isCut := e.cuts[task]; isCut || !e.cut(task) {
				return false
			}
			again = true
		}
	}
	half := func(h handover) bool { return e.lacks(h.begin) != e.lacks(h.end) }
	return !slices.ContainsFunc(d.handovers, half)
}

func (e *ending) add(task op.Task, at cut, holds []acquisition) {
	e.cuts[task] = at
	e.open = append(e.open, holds...)
}

// lacks reports whether a clock has something that is not in the execution.
func (e *ending) lacks(know *clock.Clock) bool {
	for task, at := range e.cuts {
		if know.At(int32(task)) >= at.k {
			return true
		}
	}
	return false
}

// arrives reports whether a task comes to its cut, or to its end if it has none. That nobody has
// what the parties need on their way is known.
func (e *ending) arrives(task op.Task) bool {
	at, isCut := e.cuts[task]
	switch t := e.bystanders[task]; {
	case isCut && e.lacks(at.knows), !isCut && (!t.ended || e.lacks(t.last)):
		return false
	case e.has(task):
		return true
	}
	return !slices.ContainsFunc(e.open, func(h acquisition) bool {
		first, found := h.WantedBy(task)
		return found && (!isCut || first == nil || first.K < at.k)
	})
}

// cut finds out where a task cannot go on. It fails if that is not known.
func (e *ending) cut(task op.Task) bool {
	if len(e.cuts) == maxCuts {
		return false
	}
	t := e.bystanders[task]
	if t.started && e.lacks(t.born.With(int32(t.by), t.k)) {
		e.add(task, cut{k: 1}, nil)
		return true
	}
	for i := range t.waits {
		if w := &t.waits[i]; !e.lacks(w.before) && e.lacks(w.behind) && w.lasts(task, e.cycle) {
			e.add(task, cut{w.k, w.before}, w.held)
			return true
		}
	}
	return e.cutAtLock(task)
}

// cutAtLock is cut at the first operation for which a task needs a lock that somebody has at a cut.
func (e *ending) cutAtLock(task op.Task) bool {
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
	if a == nil || a.waits == nil || !slices.ContainsFunc(e.open, func(h acquisition) bool { return h.excludes(&a.waits.acquisition) }) {
		return false
	}
	e.add(task, cut{a.waits.K, cmp.Or(a.waits.Data, a.waits.Free)}, a.held)
	return true
}
