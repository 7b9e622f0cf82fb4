package stuck

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

func (d *detector) channel(o *op.Op) {
	if o.Kind == op.Select {
		d.offers(o)
		return
	}
	t := d.resources.Of(o.Object)
	switch o.Kind {
	case op.MakeChan:
		t.cap, t.maker = o.Capacity(), o.Task
		d.derive(o, t)
		t.used(o, op.MakeChan)
	case op.Send:
		t.buffer++
		t.comes().came[sending].add(candidate.Event{Mark: candidate.MarkOf(o, op.Send), Full: o.Begin})
		t.used(o, op.Send)
		d.others.uses(o, true)
	case op.Recv:
		d.receives(candidate.MarkOf(o, op.Recv), o, o.Begin)
		t.buffer = max(t.buffer-1, 0)
		t.armed = t.armed && t.ticks // a timer sends once
		t.used(o, op.Recv)
		d.others.uses(o, false)
	case op.Handoff:
		d.handoff(o, t)
	case op.Close:
		t.closed, t.comes().closing = true, candidate.EventOf(o)
		d.closes++
		t.used(o, op.Close)
		d.others.uses(o, true)
	case op.RecvClosed:
		d.receives(candidate.MarkOf(o, op.Recv), o, o.Begin)
		t.used(o, op.RecvClosed)
		d.others.uses(o, false)
	}
}

func (d *detector) handoff(o *op.Op, t *resource) {
	t.used(o, op.Send)
	if o.Task != op.NoTask {
		d.others.comesBack(o.Task, d.task(o.Task), o.Object)
	}
	if o.Other != op.NoTask {
		d.receives(candidate.MarkOfOther(o, op.Recv), o, o.OtherBegin)
		d.task(o.Other).waits = false
		if o.Task == op.NoTask {
			d.wakes(d.task(o.Other), o.Object)
		} else {
			d.task(o.Other).polling = polling{}
		}
		t.users.Add(candidate.MarkOfOther(o, op.Recv), maxUsers)
		d.others.comesBack(o.Other, d.task(o.Other), o.Object)
	}
	if o.Task != op.NoTask && o.Other != op.NoTask {
		d.others.meets(o)
	}
	if o.Task != op.NoTask {
		d.task(o.Task).choice.Kind = op.None
	}
	if o.Other != op.NoTask {
		d.task(o.Other).choice.Kind = op.None
	}
}

// receives notes that a task, at, receives in o; see answered. In a select statement it may do
// something else.
func (d *detector) receives(at candidate.Mark, o *op.Op, begin *clock.Clock) {
	t := d.task(at.Task)
	if len(t.signalled) == 0 || t.choice.Kind != op.None || o.InCase && at.Task == o.Task {
		return
	}
	source := op.NoTask
	for _, m := range d.resources.Of(o.Object).users.List {
		switch m.Kind {
		case op.Send, op.Close, wouldSend:
			if source != op.NoTask && source != m.Task {
				return // another one might have come
			}
			source = m.Task
		}
	}
	full := o.Full
	if o.Kind == op.Handoff && o.Task != op.NoTask {
		full = full.With(int32(o.Task), o.K)
	}
	d.lost.answered(at, o.Object, begin, full)
}

// offers takes a select statement: what it would have done with the channels of its cases.
func (d *detector) offers(o *op.Op) {
	d.others.comesTo(o, d.task(o.Task))
	if o.Kind == op.Select && o.TakesDefault() {
		d.task(o.Task).choice.Kind = op.None // none of the cases
	}
	for _, c := range o.Cases {
		if c.Object != 0 {
			d.resources.Of(c.Object).used(o, offer(c))
		}
	}
}

func offer(c op.Case) op.Kind {
	if c.Send {
		return wouldSend
	}
	return wouldReceive
}

// derive takes a channel made under a lock under which a timer was armed: that may close it, as
// that of a context does.
func (s *state) derive(o *op.Op, t *resource) {
	for _, h := range s.task(o.Task).held {
		t.timed = t.timed || s.resources.Of(h.Object).timed
	}
}
