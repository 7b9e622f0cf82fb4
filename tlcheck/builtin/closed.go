package builtin

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// closedRule reports sends on closed channels, and channels that are closed twice.
var closedRule = &rule.Rule{
	Name:  Closed,
	Doc:   "reports sends on closed channels, and channels that are closed twice",
	Kinds: []op.Kind{op.Send, op.Handoff, op.Select, op.Close, op.RecvClosed, op.Misuse, op.End, op.Free},
	New:   newClosedDetector,
}

// closedDetector looks for operations that a closed channel makes fail: a send that is not ordered with
// a close of its channel, in the full order. Then there is a slice that has everything before either of
// them and the close, in which the send is next; it panics. That is exact: where the send comes before
// the close there is no such slice.
//
// A select statement that may send counts as a send, whichever case it took: it panics if the channel is
// closed by the time it is there and the choice falls on that case. So it fails also behind the close.
//
// Closing twice, and closing nil, always end the program or raise a panic, so they are not in a run
// unless they were observed; but see polls.
type closedDetector struct {
	channels objects[closable]
	polls    polls
	found    pairs
}

// closable is a channel: who sends on it, and the close, once there is one.
type closable struct {
	sends marks
	close mark
}

// maxSends bounds the tasks and places that send on a channel.
const maxSends = 256

const (
	sendClosed flaw = iota
	closeClosed
	closeNil
	closePolled
)

func newClosedDetector() rule.Detector { return &closedDetector{polls: newPolls()} }

func (d *closedDetector) Op(o *op.Op) {
	if o.Kind == op.Free {
		d.channels.Set(o.Object, nil)
	}
	if o.Task == op.NoTask {
		return
	}
	switch o.Kind {
	case op.Send, op.Handoff:
		d.send(o, o.Object)
	case op.Select:
		d.polls.decides(o)
		for _, c := range o.Cases {
			if c.Send && c.Object != 0 {
				d.send(o, c.Object)
			}
		}
	case op.Close:
		d.polls.closes(o)
		d.close(o)
	case op.RecvClosed:
		d.polls.receives(o, d.channels.At(o.Object))
	case op.Misuse:
		d.misuse(o)
	case op.End:
		d.polls.end(o.Task)
	}
}

func (d *closedDetector) channel(object op.Object) *closable {
	return of(&d.channels, object)
}

func (d *closedDetector) send(o *op.Op, object op.Object) {
	c, m := d.channel(object), markOf(o, op.Send)
	c.sends.add(m, maxSends)
	if c.close.kind == op.Close {
		d.found.add(pair{flaw: sendClosed, how: Predicted, first: m, second: c.close, object: object})
	}
}

func (d *closedDetector) close(o *op.Op) {
	c := d.channel(o.Object)
	c.close = markOf(o, op.Close)
	for i := range c.sends.list {
		if s := &c.sends.list[i]; !s.before(o) {
			d.found.add(pair{flaw: sendClosed, how: Predicted, first: *s, second: c.close, object: o.Object})
		}
	}
}

func (d *closedDetector) misuse(o *op.Op) {
	p := pair{how: Observed, object: o.Object}
	switch o.N {
	case op.SendClosed:
		p.flaw, p.first = sendClosed, markOf(o, op.Send)
	case op.CloseClosed:
		p.flaw, p.first = closeClosed, markOf(o, op.Close)
	case op.CloseNil:
		p.flaw, p.first = closeNil, markOf(o, op.Close)
	default:
		return
	}
	if c := d.channels.At(o.Object); c != nil {
		p.second = c.close
	}
	d.found.add(p)
}

func (d *closedDetector) Findings(names op.Names) []Finding {
	return append(d.found.findings(Closed, names, describeClosed), d.polls.findings(names)...)
}

func (d *closedDetector) Certain(names op.Names) []Finding {
	return d.found.certain(Closed, names, describeClosed)
}

func describeClosed(w words, p *pair) description {
	channel, by := w.object(p.object), ""
	if p.second.kind == op.Close {
		by = ", which " + w.task(p.second.task) + " closes" + w.at(p.second.at)
	}
	switch {
	case p.flaw == closeNil:
		return description{text: w.doer(&p.first) + " closes a nil channel", first: "closes a nil channel"}
	case p.flaw == closeClosed:
		return description{
			text:   w.doer(&p.first) + " closes " + channel + " again" + by,
			first:  "closes " + channel,
			second: "has closed " + channel,
		}
	case p.how == Observed:
		return description{
			text:   w.doer(&p.first) + " sends on closed " + channel + by,
			first:  "sends on " + channel,
			second: "has closed " + channel,
		}
	}
	return description{
		text:     w.doer(&p.first) + " can send on " + channel + by + ", when it is closed already",
		first:    "sends on " + channel,
		second:   "closes " + channel,
		schedule: []mark{p.second, p.first},
		notes:    []string{"neither the send nor the close waits for the other; a send on a closed channel panics"},
	}
}
