// Package closed looks for operations that a closed channel makes fail: a send that is not ordered
// with a close of its channel, in the full order. Then there is a slice that has everything before
// either of them and the close, in which the send is next; it panics. That is exact: where the send
// comes before the close there is no such slice.
//
// A select statement that may send counts as a send, whichever case it took: it panics if the
// channel is closed when the task comes there, and the choice falls on that case. So a select after
// the close counts, too.
//
// Closing twice, and closing nil, always end the program or raise a panic, so they are not in a run
// unless they were observed; but see polls, flags and guardedFlags.
package closed

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// Rule reports sends on closed channels, and channels that are closed twice.
var Rule = &rule.Rule{
	Name: "closed",
	Doc:  "reports sends on closed channels, and channels that are closed twice",
	Kinds: []op.Kind{
		op.Send, op.Handoff, op.Select, op.Close, op.RecvClosed, op.Misuse, op.End, op.Free,
		op.AtomicLoad, op.AtomicStore, op.Lock, op.RLock, op.Unlock, op.RUnlock, op.ReadFrom,
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
	run   *state.Run
	sends candidate.Objects[candidate.Marks] // on a channel
	polls polls
	flags flags

	guarded   guardedFlags
	sectioned sectioned
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
	closeFlagged
	closePolled // of the first case; the next ones follow
)

func (d *detector) Reorders(h *reorder.History) { d.sectioned.history, d.sectioned.steps = h, maxSteps }

func (d *detector) ObserveState(r *state.Run) { d.run = r }

// Forget drops what is known of tasks that are gone.
func (d *detector) Forget(s *clock.Sweep) {
	gone := func(first int) bool { return s.IsGone(int32(first)) }
	d.polls.tasks.Drop(gone)
	d.flags.tasks.Drop(gone)
	d.guarded.tasks.Drop(gone)
}

func (d *detector) Op(o *op.Op) {
	if o.Kind == op.Free {
		d.sends.Set(o.Object, nil)
		d.sectioned.sends.Set(o.Object, nil)
		d.guarded.closers.Set(o.Object, nil)
	}
	if o.Task == op.NoTask {
		return
	}
	switch o.Kind {
	case op.Send, op.Handoff:
		d.send(o, o.Object)
	case op.Select:
		d.polls.noteSelect(o)
		for _, c := range o.Cases {
			if c.Send && c.Object != 0 {
				d.send(o, c.Object)
			}
		}
	case op.Close:
		d.polls.noteClose(o)
		d.flags.noteClose(o)
		d.guarded.noteClose(o)
		d.close(o)
		d.sectioned.noteClose(o)
	case op.RecvClosed:
		d.polls.noteReceive(o, d.closing(o.Object))
	case op.Misuse:
		d.AddMisuse(o, d.closing(o.Object))
	case op.End:
		d.polls.end(o.Task)
		d.flags.end(o.Task)
		d.guarded.end(o.Task)
	case op.AtomicLoad:
		d.flags.noteLoad(o)
	case op.AtomicStore:
		d.flags.noteStore(o)
	case op.Lock, op.RLock:
		d.guarded.noteLock(o)
	case op.Unlock, op.RUnlock:
		d.guarded.noteUnlock(o)
	case op.ReadFrom:
		d.guarded.noteRead(o)
	}
}

func (d *detector) send(o *op.Op, object op.Object) {
	m := candidate.MarkOf(o, op.Send)
	d.sends.Ensure(object).Add(m, maxSends)
	before := o.BeforeData
	if o.Kind == op.Select {
		before = o.Data
	}
	d.sectioned.noteSend(sent{m, before, d.run.Outermost(o.Task)}, object)
	if closing := d.closing(object); closing.Kind == op.Close {
		d.Predict(sendClosed, m, closing, object)
	}
}

func (d *detector) close(o *op.Op) {
	sends := d.sends.Ensure(o.Object)
	for i := range sends.List {
		if s := &sends.List[i]; !s.Before(o) {
			d.Predict(sendClosed, *s, candidate.MarkOf(o, op.Close), o.Object)
		}
	}
}

// closing returns the close of a channel, of kind None if it is open.
func (d *detector) closing(channel op.Object) candidate.Mark {
	if c := d.run.Objects.At(channel); c != nil {
		return c.Closing.Mark
	}
	return candidate.Mark{}
}

func (d *detector) Findings(names op.Names) []rule.Finding {
	return slices.Concat(d.Pairs.Findings(names), d.sectioned.findings(names),
		d.polls.doubleCloses(names), d.flags.doubleCloses(names))
}

// Candidates implements rule.Suspecting.
func (d *detector) Candidates(names op.Names) []rule.Finding {
	guarded := d.guarded.candidates(names, d.sectioned.history.Remembers())
	return append(d.sectioned.candidates(names), guarded...)
}
