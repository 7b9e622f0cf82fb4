package deadlock

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Bystanders. Any goroutine can end a wait at a channel, and a wait for a lock, since Go lets any
// goroutine unlock it. The run shows what a task that is no party of the deadlock does, but only
// until the task knows of what the parties did after their moments. From there on it may look at a
// flag that a party has not set now, take another case of a select statement, or be a timer that is
// not stopped. So a deadlock is certain only if it is an ending (see ending).
//
// Otherwise a deadlock in which all wait for locks, and so for each other, rests on the assumption
// that no task unlocks the lock of another one. If the run shows that a task has done so, nothing
// is assumed of that lock. For logs of programs in other languages it is taken for granted.

// bystander is what is known of a task that may turn out to be one.
type bystander struct {
	started bool         // by a task that is known
	by      op.Task      // that task
	k       int32        // with this operation of it
	born    *clock.Clock // what it knew then
	armed   bool         // a timer is to start it
	ended   bool
	last    *clock.Clock // what was known when it ended
	waits   []groupWait  // the first ones
}

// groupWait is a Wait of a WaitGroup.
type groupWait struct {
	k              int32
	before, behind *clock.Clock // what the task knew
	group          *medium
	counted        int // operations on it before
	held           []acquisition
}

const (
	maxBystanders = 1 << 10 // with more, no deadlock with a wait at a channel is certain
	maxGroupWaits = 4       // of a task
	maxCuts       = 64      // of an ending
	// sections that other tasks left; with more, no deadlock is certain while others can go on
	maxHandovers = 64
)

// dataOf returns what the task of an operation knew by reading, too, where that is recorded.
func dataOf(o *op.Op) *clock.Clock { return cmp.Or(o.Data, o.Free) }

// noteBystander notes what matters of a task that may turn out to be a bystander.
func (d *Detector) noteBystander(o *op.Op) {
	switch o.Kind {
	case op.Go:
		if o.Other == op.NoTask {
			return
		}
		if child := d.bystander(o.Other); child != nil {
			child.by, child.k, child.born, child.started, child.armed = o.Task, o.K, dataOf(o), true, o.ByTimer()
		}
	case op.Handoff:
		if o.Other != op.NoTask {
			d.bystander(o.Other)
		}
	case op.End, op.Left:
		t := d.bystander(o.Task)
		isArmedAgain := t != nil && t.armed && o.K == 1 // its timer, perhaps by a task that knew what is missing
		if t != nil && !t.ended && !isArmedAgain {
			t.ended, t.last = true, dataOf(o)
		}
	case op.Wait:
		if t, m := d.bystander(o.Task), d.media.At(o.Object); t != nil && m != nil && len(t.waits) < maxGroupWaits {
			t.waits = append(t.waits, groupWait{
				k: o.K, before: cmp.Or(o.BeforeData, o.Before), behind: dataOf(o),
				group: m, counted: len(m.counts), held: slices.Clone(d.actor(o.Task).held),
			})
		}
	}
}

// handover is a section that another task has left: its beginning and its end, each with what comes
// before. The end does not come after the beginning in the order Data.
type handover struct{ begin, end *clock.Clock }

func (d *Detector) handedOver(s *reorder.Span, end *op.Op) {
	if len(d.handovers) <= maxHandovers {
		d.handovers = append(d.handovers, handover{
			cmp.Or(s.Data, s.Free).With(int32(s.Task), s.K), dataOf(end).With(int32(s.By), s.ByK),
		})
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

// isNeverDone reports whether all additions for a Wait have been made in the cycle. Then the Done
// of a task that is kept from it is missing.
func (w *groupWait) isNeverDone(by op.Task, c *cycle) bool {
	return !w.group.lost && !w.group.outside && !slices.ContainsFunc(w.group.counts[:w.counted], func(x count) bool {
		return x.n > 0 && x.task != by && c.read.At(int32(x.task)) < x.k
	})
}

func (c *cycle) has(task op.Task) bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool { return m.Task == task })
}
