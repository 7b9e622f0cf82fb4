// Package orders makes the runs of a traced program those of package unfolding: it numbers
// goroutines, objects and places the same in all runs, and makes a schedule of the steps with which
// a run is to begin.
//
//	watched := new(orders.Watcher) // of the operations of a run
//	run := numbers.Run(watched, names, prefix)
//	s := numbers.Schedule(prefix)  // for another run
//
// Operations of some kinds are not seen, or no schedule can have them. If a run has such ones,
// Doubts names them: then there may be orders that no run is asked for.
package orders

import (
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// maxOperations bounds the operations of a run.
const maxOperations = 1 << 16

// Watcher keeps the operations of a run that have an order. It implements op.Watcher. The zero
// value is ready.
type Watcher struct {
	operations []operation
	capacity   map[op.Object]int // of channels
	cut        bool              // there were more operations
	begun      bool              // main has initialised all packages
}

// operation is what is kept of an op.Op.
type operation struct {
	kind, want  op.Kind
	task, other op.Task
	object      op.Object
	at, otherAt op.Place
	arg         int64
	cases       []op.Case
	defaults    bool // a select has a default, or takes it
	takes       bool
}

// Op implements op.Watcher.
func (w *Watcher) Op(o *op.Op) {
	switch o.Kind {
	case op.Main:
		w.begun = true
		return
	case op.MakeChan:
		if w.capacity == nil {
			w.capacity = make(map[op.Object]int)
		}
		w.capacity[o.Object] = int(o.Capacity())
		return
	case op.Free, op.CutOff, op.Checked, op.Copy, op.ReadFrom, op.Rewrite, op.Overwrite, op.None:
		return
	}
	if o.Task == 0 && !w.begun && o.Kind != op.Go {
		return // nothing runs beside it that is not asked for
	}
	if len(w.operations) == maxOperations {
		w.cut = true
		return
	}
	w.operations = append(w.operations, operation{
		kind: o.Kind, want: o.Want, task: o.Task, other: o.Other, object: o.Object, at: o.At, otherAt: o.OtherAt,
		arg: o.Arg, cases: slices.Clone(o.Cases),
		defaults: o.Kind == op.Select && o.HasDefault(), takes: o.Kind == op.Select && o.TakesDefault(),
	})
}
