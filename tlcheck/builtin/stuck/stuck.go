// Package stuck looks for tasks that wait for ever. Those of the run itself are found at its end:
// tasks that wait for something which is not there, and which no task can bring about any more (see
// waking.go). Those of other orders of the run are found by lostSignals, leftLocked and otherCases.
package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports goroutines that wait for ever.
var Rule = &rule.Rule{
	Name: "stuck",
	Doc:  "reports goroutines that wait for ever",
	Kinds: []op.Kind{
		op.Go, op.End, op.Main, op.Left, op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close,
		op.RecvClosed, op.Select, op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Add, op.Done, op.Wait,
		op.CondWait, op.Signal, op.Broadcast, op.Once, op.Arm, op.Stop, op.Fire, op.Outside, op.Free,
		op.Block, op.AtomicLoad, op.AtomicStore, op.Misuse,
	},
	New: newDetector,
}

type detector struct {
	*state // lost and others share it, also in a snapshot
	hints
	lost   lostSignals
	others otherCases
	dead   taskSet // tasks of deadlocks that happened: set at the end
}

func newDetector() rule.Detector {
	d := &detector{state: &state{left: op.NoTask, timers: map[op.Object]op.Task{}}}
	d.lost.state = d.state
	d.others = otherCases{
		state:        d.state,
		places:       map[op.Place]*selectPlace{},
		alternatives: map[alternativeKey]*alternative{},
	}
	return d
}

func (d *detector) Op(o *op.Op) {
	if o.Task != op.NoTask {
		t := d.task(o.Task)
		t.waits = false
		d.polls(o)
		switch o.Kind {
		case op.Send, op.Recv, op.RecvClosed, op.Handoff: // may be a case
		default:
			t.choice.Kind = op.None
		}
	}
	switch o.Kind {
	case op.Go:
		d.starts(o)
	case op.Fire:
		d.fires(o)
	case op.Main:
		d.begun = true
	case op.Left:
		d.left, d.exited = o.Task, !o.MainReturned()
		d.end(o)
	case op.End:
		d.end(o)
		d.forget(o.Task)
	case op.MakeChan, op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Select:
		d.channel(o)
	case op.Lock, op.RLock, op.Unlock, op.RUnlock:
		d.lock(o)
	case op.Add, op.Done:
		t := d.resources.Of(o.Object)
		t.counter += o.Delta()
		t.used(o, o.Kind)
	case op.Wait:
		d.lost.answered(candidate.MarkOf(o, op.Wait), o.Object, o.Begin, o.Full)
		d.task(o.Task).joins(o)
	case op.CondWait, op.Signal, op.Broadcast:
		d.condition(o)
		if o.Kind != op.CondWait && o.Task != op.NoTask {
			d.lost.signals(o)
		}
	case op.Arm:
		d.arms(o)
	case op.Stop:
		d.stop(o)
	case op.Outside:
		d.resources.Of(o.Object).outside = !o.Ends()
	case op.Free:
		d.free(o.Object)
	case op.Block:
		d.block(o)
		switch o.Want {
		case op.Select:
			d.offers(o)
		case op.CondWait:
			d.lost.awaits(o)
		}
	case op.Misuse:
		d.fails(o)
	}
}

// end notes that a task ends: it signals no Cond any more, and comes back to no channel.
func (d *detector) end(o *op.Op) {
	t := d.task(o.Task)
	t.armed = t.armed && o.K == 1 // else its timer has fired
	d.lost.ends(o, t)
	for i := range t.examples {
		t.examples[i].isOver()
	}
}

func (d *detector) stop(o *op.Op) {
	if timer, ok := d.timers[o.Object]; ok {
		d.lost.isStopped(timer, o)
		delete(d.timers, o.Object)
		return
	}
	d.resources.Of(o.Object).armed = false
}

func (d *detector) free(object op.Object) {
	t := d.resources.At(object)
	if t == nil {
		return
	}
	d.others.consider(object, t)
	*t = resource{users: t.users.Emptied()}
	d.resources.Recycle(object, t)
}

// hints are what is known of the program besides its run.
type hints struct {
	mayWait []string                      // functions; see MayWait
	reads   func(*rule.Guess) rule.Behind // see ReadSource
}

func (h *hints) MayWait(functions ...string) { h.mayWait = append(h.mayWait, functions...) }

func (h *hints) ReadSource(source func(*rule.Guess) rule.Behind) { h.reads = source }

// behindCase returns what the source says.
func (h *hints) behindCase(g *rule.Guess) rule.Behind {
	if h.reads == nil {
		return rule.Unread
	}
	return h.reads(g)
}

// isMeantTo reports whether a task may wait for ever at a place.
func (h *hints) isMeantTo(names op.Names, t op.Task, at op.Place) bool {
	if len(h.mayWait) == 0 {
		return false
	}
	isMeant := func(function string) bool { return site.NamesMean(h.mayWait, function) }
	return isMeant(names.Task(t).Function) ||
		slices.ContainsFunc(names.Place(at).Stack, func(f op.Frame) bool { return isMeant(f.Function) })
}
