package deadlock

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Bystanders. Who waits at a channel can be let go by anybody, and so can who waits for a lock,
// since Go lets any goroutine unlock it. What a task does that is no party of the deadlock the run
// shows only as far as the task does not know of what the parties did after their moments: it may
// look at a flag that a party has not set now, take another case of a select statement, or be a
// timer that is not stopped. So a deadlock is certain only if it is an ending: see there.
//
// If it is not, a deadlock in which all wait for locks, and so for each other, rests on the
// assumption that nobody unlocks the lock of another one. Of locks of which that has happened in
// the run it is not even assumed. Of programs in other languages, of which there are logs, it is
// taken for granted.

// bystander is a task, as far as it may be one.
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
	// sections that other tasks left; with more, none is certain in which others can do anything
	maxHandovers = 64
)

// dataOf returns what the task of an operation knew by reading, too, where that is recorded.
func dataOf(o *op.Op) *clock.Clock { return cmp.Or(o.Data, o.Free) }

// notice notes what matters of a task that may turn out to be a bystander.
func (d *Detector) notice(o *op.Op) {
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
		isArmedAgain := t != nil && t.armed && o.K == 1 // its timer, perhaps by who knew what is missing
		if t != nil && !t.ended && !isArmedAgain {
			t.ended, t.last = true, dataOf(o)
		}
	case op.Wait:
		if t, m := d.bystander(o.Task), d.media.At(o.Object); t != nil && m != nil && len(t.waits) < maxGroupWaits {
			t.waits = append(t.waits, groupWait{o.K, cmp.Or(o.BeforeData, o.Before), dataOf(o), m, len(m.counts), slices.Clone(d.actor(o.Task).held)})
		}
	}
}

// handover is a section that another task has left: what comes before its beginning and its end,
// and these. The end does not come after the beginning in the order Data.
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

// lasts reports whether all that was added for a Wait has been added in the cycle, so that what was
// done by who is kept there is missing.
func (w *groupWait) lasts(by op.Task, c *cycle) bool {
	return !w.group.lost && !w.group.outside && !slices.ContainsFunc(w.group.counts[:w.counted], func(x count) bool {
		return x.n > 0 && x.task != by && c.read.At(int32(x.task)) < x.k
	})
}

func (c *cycle) has(task op.Task) bool {
	return slices.ContainsFunc(c.moments, func(m moment) bool { return m.Task == task })
}
