package stuck

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

func (d *detector) channel(o *op.Op) {
	switch o.Kind {
	case op.Send:
		arrival := candidate.Event{Mark: candidate.MarkOf(o, op.Send), Full: o.Begin}
		d.channels.Of(o.Object).came[sending].add(arrival)
		d.others.uses(o, true)
	case op.Recv, op.RecvClosed:
		d.receives(candidate.MarkOf(o, op.Recv), o, o.Begin)
		d.others.uses(o, false)
	case op.Handoff:
		d.handoff(o)
	case op.Close:
		d.others.uses(o, true)
	}
}

func (d *detector) handoff(o *op.Op) {
	if o.Task != op.NoTask {
		d.others.comesBack(o.Task, d.task(o.Task), o.Object)
	}
	if o.Other != op.NoTask {
		d.receives(candidate.MarkOfOther(o, op.Recv), o, o.OtherBegin)
		if o.Task == op.NoTask {
			d.wakes(d.task(o.Other), o.Object)
		} else {
			d.task(o.Other).polling = polling{}
		}
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
	for _, m := range d.run.Objects.Of(o.Object).Users.List {
		switch m.Kind {
		case op.Send, op.Close, state.WouldSend:
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

// offers takes a select statement.
func (d *detector) offers(o *op.Op) {
	d.others.comesTo(o, d.task(o.Task))
	if o.Kind == op.Select && o.TakesDefault() {
		d.task(o.Task).choice.Kind = op.None // none of the cases
	}
}
