package deadlock

import (
	"slices"

	"github.com/antichain-go/antichain/internal/clock"
	"github.com/antichain-go/antichain/tracer/op"
)

// Bystanders. Who waits at a channel can be let go by anybody. What a task does that is no party of the deadlock the run shows only as far as
// the task does not know of what the parties did after their moments: it may look at a flag that a party has not set now, take another
// case of a select statement, or be a timer that is not stopped. So a deadlock with such a wait is certain only if each of these
// tasks is not started then, comes to its end as in the run, or is kept by a WaitGroup on which something is still to be done.

// bystander is a task, as far as it may be one.
type bystander struct {
	started bool         // by a task that is known
	by      op.Task      // that task
	k       int32        // with this operation of it
	born    *clock.Clock // what it knew then
	ended   bool
	last    *clock.Clock // what was known when it ended
	waits   []groupWait  // the first ones
}

// groupWait is a Wait of a WaitGroup.
type groupWait struct {
	before, behind *clock.Clock // what the task knew
	group          *medium
	counted        int // operations on it before
}

const (
	maxBystanders = 1 << 10 // with more, no deadlock with a wait at a channel is certain
	maxGroupWaits = 4       // of a task
)

// notice notes what matters of a task that may turn out to be a bystander.
func (d *Detector) notice(o *op.Op) {
	t := d.bystander(o.Task)
	switch o.Kind {
	case op.Go:
		if o.Other == op.NoTask {
			return
		}
		if child := d.bystander(o.Other); child != nil {
			child.by, child.k, child.born, child.started = o.Task, o.K, o.Data, true
		}
	case op.Handoff:
		if o.Other != op.NoTask {
			d.bystander(o.Other)
		}
	case op.End:
		if t != nil {
			t.ended, t.last = true, o.Data
		}
	case op.Wait:
		if m := d.media.At(o.Object); t != nil && m != nil && len(t.waits) < maxGroupWaits {
			t.waits = append(t.waits, groupWait{o.BeforeData, o.Data, m, len(m.counts)})
		}
	}
}

// bystander returns what is known of a task, nil if there are too many.
func (d *Detector) bystander(task op.Task) *bystander {
	t := d.bystanders[task]
	if t == nil && !d.crowd {
		if d.crowd = len(d.bystanders) == maxBystanders; d.crowd {
			d.bystanders = nil
			return nil
		}
		t = new(bystander)
		d.bystanders[task] = t
	}
	return t
}

// isUndisturbed reports whether no bystander can do something else than in the run while the tasks wait.
func (d *Detector) isUndisturbed(c *cycle) bool {
	if d.crowd {
		return false
	}
	for task, t := range d.bystanders {
		if !c.has(task) && !t.isHarmless(task, c) {
			return false
		}
	}
	for i := range c.moments {
		if slices.ContainsFunc(c.moments[i].holds(), c.isWantedByOthers) {
			return false
		}
	}
	return true
}

func (c *cycle) has(task op.Task) bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool { return m.task == task })
}

// isWantedByOthers reports whether a bystander acquired the lock later in the run. It cannot now, and does nothing of what it did then.
func (c *cycle) isWantedByOthers(h acquisition) bool {
	return h.lock.lost > h.seq || slices.ContainsFunc(h.lock.users, func(u user) bool {
		return u.latest[0].seq > h.seq && !c.has(u.latest[0].task)
	})
}

// follows reports whether a clock has something that a party did at its moment or later.
func (c *cycle) follows(know *clock.Clock) bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool { return know.At(int32(m.task)) >= m.k })
}

func (t *bystander) isHarmless(task op.Task, c *cycle) bool {
	if t.started && c.follows(t.born.With(int32(t.by), t.k)) {
		return true // it is not started
	}
	if t.ended && !c.follows(t.last) {
		return true
	}
	return slices.ContainsFunc(t.waits, func(w groupWait) bool {
		return !c.follows(w.before) && c.follows(w.behind) && w.lasts(task, c)
	})
}

// lasts reports whether all that was added for a Wait has been added in the cycle, so that what was done by who is kept there is missing.
func (w *groupWait) lasts(by op.Task, c *cycle) bool {
	return !w.group.lost && !w.group.outside && !slices.ContainsFunc(w.group.counts[:w.counted], func(x count) bool {
		return x.n > 0 && x.task != by && c.read.At(int32(x.task)) < x.k
	})
}
