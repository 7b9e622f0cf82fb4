// Package closed looks for operations that a closed channel makes fail: a send that is not ordered
// with a close of its channel, in the full order. Then there is a slice that has everything before
// either of them and the close, in which the send is next; it panics. That is exact: where the send
// comes before the close there is no such slice.
//
// A select statement that may send counts as a send, whichever case it took: it panics if the
// channel is closed by the time it is there and the choice falls on that case. So it fails also
// behind the close.
//
// Closing twice, and closing nil, always end the program or raise a panic, so they are not in a run
// unless they were observed; but see polls.
package closed

import (
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports sends on closed channels, and channels that are closed twice.
var Rule = &rule.Rule{
	Name: "closed",
	Doc:  "reports sends on closed channels, and channels that are closed twice",
	Kinds: []op.Kind{
		op.Send, op.Handoff, op.Select, op.Close, op.RecvClosed, op.Misuse, op.End, op.Free,
	},
	New: func() rule.Detector {
		return &detector{
			Pairs: candidate.Pairs{Describe: describe, Misuses: misuses},
			polls: polls{closed: map[polledCase]candidate.Mark{}},
		}
	},
}

type detector struct {
	candidate.Pairs
	channels candidate.Objects[closable]
	polls    polls
}

// closable is a channel: the sends on it, and the close, once there is one.
type closable struct {
	sends candidate.Marks
	close candidate.Mark
}

var misuses = map[op.Mistake]candidate.Misuse{
	op.SendClosed:  {Flaw: sendClosed, Kind: op.Send},
	op.CloseClosed: {Flaw: closeClosed, Kind: op.Close},
	op.CloseNil:    {Flaw: closeNil, Kind: op.Close},
}

// maxSends bounds the tasks and places that send on a channel.
const maxSends = 256

const (
	sendClosed candidate.Flaw = iota
	closeClosed
	closeNil
	closePolled // and so on, for each case
)

func (d *detector) Op(o *op.Op) {
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
		var closing candidate.Mark
		if c := d.channels.At(o.Object); c != nil {
			closing = c.close
		}
		d.AddMisuse(o, closing)
	case op.End:
		d.polls.end(o.Task)
	}
}

func (d *detector) send(o *op.Op, object op.Object) {
	c, m := d.channels.Of(object), candidate.MarkOf(o, op.Send)
	c.sends.Add(m, maxSends)
	if c.close.Kind == op.Close {
		d.Predict(sendClosed, m, c.close, object)
	}
}

func (d *detector) close(o *op.Op) {
	c := d.channels.Of(o.Object)
	c.close = candidate.MarkOf(o, op.Close)
	for i := range c.sends.List {
		if s := &c.sends.List[i]; !s.Before(o) {
			d.Predict(sendClosed, *s, c.close, o.Object)
		}
	}
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	return append(d.Pairs.Findings(names), d.polls.doubleCloses(names)...)
}
