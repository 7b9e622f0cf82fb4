// Package stuck looks for tasks that wait for ever. At the end of the run these are the tasks whose
// wait no task can end any more (see package state). In other orders of the run they are found by
// lostSignals, leftLocked, otherCases, lateSends and handovers.
package stuck

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/state"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Rule reports goroutines that wait for ever.
var Rule = &rule.Rule{
	Name:  "stuck",
	Doc:   "reports goroutines that wait for ever",
	Kinds: state.Kinds,
	New:   newDetector,
}

type detector struct {
	*memory // lost and others share it, also in a snapshot
	hints
	lost   lostSignals
	others otherCases
	late   lateSends
	handed handovers
	dead   state.Tasks // tasks of deadlocks that happened: set at the end
	open   *rule.Open  `snapshot:"-"` // set by Findings
}

func newDetector() rule.Detector {
	d := &detector{memory: new(memory)}
	d.lost.memory, d.late.memory = d.memory, d.memory
	d.others = otherCases{
		memory:       d.memory,
		places:       map[op.Place]*selectPlace{},
		alternatives: map[alternativeKey]*alternative{},
	}
	return d
}

func (d *detector) ObserveState(r *state.Run) { d.run = r }

func (d *detector) Op(o *op.Op) {
	if o.Task != op.NoTask {
		d.notePolling(o)
		d.late.noteTest(o)
		switch o.Kind {
		case op.Send, op.Recv, op.RecvClosed, op.Handoff: // may be a case
		default:
			d.task(o.Task).choice.Kind = op.None
		}
	}
	switch o.Kind {
	case op.Go:
		d.task(o.Other).born = o.Full
		d.noteStart(o)
	case op.Add:
		d.noteAdd(o)
	case op.Done:
		d.noteDone(o)
		d.late.noteRelease(o)
	case op.Left:
		d.end(o.Task, d.run.Task(o.Task).Armed, o)
	case op.End:
		d.end(o.Task, d.run.Ended.Armed, o)
		d.late.noteEnd(o.Task, d.task(o.Task))
		d.forget(o.Task)
	case op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed:
		d.noteChannel(o)
	case op.Select:
		d.others.noteSelect(o, d.task(o.Task))
		d.late.noteLook(o)
	case op.Unlock, op.RUnlock:
		t := d.task(o.Task)
		t.unlocked, t.freed = o.K, o.Object
		d.late.noteRelease(o)
		d.handed.noteEnd(o, d.run)
	case op.Lock, op.RLock:
		d.task(o.Task).noteLock(o)
		d.late.noteAwaited(o)
	case op.Wait:
		d.lost.noteAnswer(candidate.MarkOf(o, op.Wait), o.Object, o.Begin, o.Full)
		d.task(o.Task).noteJoin(o)
		d.late.noteAwaited(o)
	case op.Signal, op.Broadcast:
		if o.Task != op.NoTask {
			d.lost.noteSignal(o)
		}
	case op.Stop:
		if d.run.Ended != nil {
			d.lost.noteStop(o)
		}
	case op.Free:
		d.free(o.Object)
	case op.Block:
		switch o.Want {
		case op.Select:
			d.others.noteSelect(o, d.task(o.Task))
			d.late.noteLook(o)
		case op.Send, op.Recv:
			d.others.noteReturn(o.Task, d.task(o.Task), o.Object)
		case op.CondWait:
			d.lost.noteWait(o)
		}
	}
}

// end notes that a task ends: it signals no Cond and comes back to no channel any more.
func (d *detector) end(number op.Task, armed bool, o *op.Op) {
	t := d.task(number)
	d.noteGone(number)
	d.lost.noteEnd(o, t, armed)
	for i := range t.examples {
		t.examples[i].isOver()
	}
}

func (d *detector) free(object op.Object) {
	if d.run.Freed != nil {
		d.others.noteFree(object, d.run.Freed)
		d.lost.noteFree(object, d.run.Freed)
		d.late.noteFree(object, d.run.Freed)
	}
	d.channels.Set(object, nil)
	d.conds.Set(object, nil)
	d.gone.Set(object, nil)
}

// hints are what is known of the program beyond its run.
type hints struct {
	mayWait []string                      // functions; see MayWait
	reads   func(*rule.Guess) rule.Behind // see ReadSource
}

func (h *hints) MayWait(functions ...string) { h.mayWait = append(h.mayWait, functions...) }

func (h *hints) ReadSource(source func(*rule.Guess) rule.Behind) { h.reads = source }

// behindCase returns what the source says about a guess.
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
