package stuck

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

func (d *detector) noteChannel(o *op.Op) {
	switch o.Kind {
	case op.Send:
		arrival := candidate.Event{Mark: candidate.MarkOf(o, op.Send), Full: o.Begin}
		d.channels.Ensure(o.Object).came[sending].add(arrival)
		d.late.noteSend(o)
		d.others.noteUse(o, true)
	case op.Recv, op.RecvClosed:
		d.noteRequest(o)
		d.noteReceive(candidate.MarkOf(o, op.Recv), o, o.Begin)
		d.others.noteUse(o, false)
	case op.Handoff:
		d.noteHandoff(o)
	case op.Close:
		d.others.noteUse(o, true)
	}
}

// noteRequest notes what a task receives from a channel with a buffer, or that is closed.
func (d *detector) noteRequest(o *op.Op) {
	switch {
	case o.Task == op.NoTask:
	case o.Kind == op.Recv:
		d.late.noteReceive(o)
	default:
		closing := d.run.Objects.Ensure(o.Object).Closing.Mark
		d.late.noteAnswer(candidate.MarkOf(o, op.Recv), o.Object, closing)
	}
}

func (d *detector) noteHandoff(o *op.Op) {
	var sender, receiver *task // nil is none of the tasks
	if o.Task != op.NoTask {
		sender = d.task(o.Task)
		d.others.noteReturn(o.Task, sender, o.Object)
	}
	if o.Other != op.NoTask {
		receiver = d.task(o.Other)
		d.noteReceive(candidate.MarkOfOther(o, op.Recv), o, o.OtherBegin)
		if sender == nil {
			d.noteWakeup(receiver, o.Object)
		} else {
			receiver.polling = polling{}
		}
		d.others.noteReturn(o.Other, receiver, o.Object)
	}
	if sender != nil && receiver != nil {
		d.late.noteHandoff(o)
		d.others.noteMeeting(o)
	}
	if sender != nil {
		sender.choice.Kind = op.None
	}
	if receiver != nil {
		receiver.choice.Kind = op.None
	}
}

// noteReceive notes that a task, at, receives in o; see noteAnswer. In a select statement it might
// have done something else.
func (d *detector) noteReceive(at candidate.Mark, o *op.Op, begin *clock.Clock) {
	t := d.task(at.Task)
	if len(t.signalled) == 0 || t.choice.Kind != op.None || o.InCase && at.Task == o.Task {
		return
	}
	source := op.NoTask
	for _, m := range d.run.Objects.Ensure(o.Object).Users.List {
		switch m.Kind {
		case op.Send, op.Close, state.WouldSend:
			if source != op.NoTask && source != m.Task {
				return // another sender might have come
			}
			source = m.Task
		}
	}
	full := o.Full
	if o.Kind == op.Handoff && o.Task != op.NoTask {
		full = full.With(int32(o.Task), o.K)
	}
	d.lost.noteAnswer(at, o.Object, begin, full)
}
